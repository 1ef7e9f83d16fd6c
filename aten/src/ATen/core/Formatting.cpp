#include <ATen/core/Formatting.h>

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace at {

namespace {

// How all numbers of a tensor are written: width, digits, and whether with an exponent.
struct Format {
  int width = 0;
  int precision = 0;
  bool exponent = false;
  bool integer = false;
};

Format chooseFormat(const std::vector<double>& values) {
  double largest = 0;
  double smallest = INFINITY;
  bool integer = true;
  for (const double v : values) {
    if (!std::isfinite(v)) continue;
    const double a = std::abs(v);
    integer &= a == std::floor(a);
    largest = std::max(largest, a);
    if (a != 0) smallest = std::min(smallest, a);
  }
  const auto digits = [](double v) { return v < 1 ? 1 : static_cast<int>(std::log10(v)) + 1; };
  Format format;
  if (integer) {
    format.integer = largest < 1e9;
    format.exponent = !format.integer;
    format.width = format.integer ? digits(largest) + 1 : 11;
    format.precision = 4;
  } else {
    format.exponent = largest >= 1e6 || smallest < 1e-4;
    format.precision = 4;
    format.width = format.exponent ? 11 : digits(largest) + 6;
  }
  return format;
}

std::string write(double v, const Format& format) {
  char text[64];
  if (format.integer) {
    std::snprintf(text, sizeof(text), "%*.0f", format.width, v);
  } else {
    std::snprintf(text, sizeof(text), format.exponent ? "%*.*e" : "%*.*f", format.width,
                  format.precision, v);
  }
  return text;
}

// Columns are shown in groups that fit a line.
void printMatrix(std::ostream& out, const double* values, int64_t rows, int64_t cols,
                 const Format& format, int64_t linesize, int indent) {
  const int64_t per_line =
      std::max<int64_t>(1, (linesize - indent) / (static_cast<int64_t>(format.width) + 1));
  for (int64_t first = 0; first < cols; first += per_line) {
    const int64_t last = std::min(cols, first + per_line);
    if (per_line < cols) {
      if (first > 0) out << "\n";
      out << "Columns " << first + 1 << " to " << last << "\n";
    }
    for (int64_t row = 0; row < rows; ++row) {
      out << std::string(static_cast<size_t>(indent), ' ');
      for (int64_t col = first; col < last; ++col) {
        out << write(values[row * cols + col], format) << (col + 1 < last ? " " : "\n");
      }
    }
  }
}

}  // namespace

std::ostream& print(std::ostream& out, const Tensor& tensor_, int64_t linesize) {
  if (!tensor_.defined()) return out << "[ Tensor (undefined) ]";
  std::vector<double> values;
  if (!tensor_.is_meta()) {
    const Tensor tensor = tensor_.detach().to(ScalarType::Double).cpu().contiguous();
    const auto* data = tensor.const_data_ptr<double>();
    values.assign(data, data + tensor.numel());
    const Format format = chooseFormat(values);
    if (tensor.dim() == 0) {
      out << values[0] << "\n";
    } else if (tensor.dim() == 1) {
      for (const double v : values) out << write(v, format) << "\n";
    } else if (tensor.numel() > 0) {
      const int64_t rows = tensor.size(-2);
      const int64_t cols = tensor.size(-1);
      const int64_t matrices = tensor.numel() / (rows * cols);
      for (int64_t i = 0; i < matrices; ++i) {
        if (tensor.dim() > 2) {
          std::string index;
          int64_t rest = i;
          for (int64_t d = tensor.dim() - 3; d >= 0; --d) {
            index = std::to_string(rest % tensor.size(d) + 1) + "," + index;
            rest /= tensor.size(d);
          }
          out << (i > 0 ? "\n" : "") << "(" << index << ".,.) = \n";
        }
        printMatrix(out, values.data() + i * rows * cols, rows, cols, format, linesize,
                    tensor.dim() > 2 ? 2 : 0);
      }
    }
  }
  out << "[ " << tensor_.toString() << "{";
  for (int64_t d = 0; d < tensor_.dim(); ++d) out << (d > 0 ? "," : "") << tensor_.size(d);
  return out << "} ]";
}

std::ostream& operator<<(std::ostream& out, const Tensor& tensor) { return print(out, tensor, 80); }

void TensorBase::print() const {
  if (defined()) {
    std::cerr << "[" << toString() << " " << sizes() << "]\n";
  } else {
    std::cerr << "[UndefinedTensor]\n";
  }
}

}  // namespace at
