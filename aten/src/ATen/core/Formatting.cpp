#include <ATen/core/Formatting.h>

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace at {

namespace {

// How the numbers of a vector or a matrix are written: their width, and what they are divided by.
struct Format {
  int width = 0;
  double scale = 1;
};

// The number of digits in front of the point; 0 or less below 1.
int exponent(double v) { return v == 0 ? 1 : static_cast<int>(std::floor(std::log10(v))) + 1; }

// Sets the stream's style. PyTorch's rules: five digits where they fit, else an exponent or a
// common factor in front.
Format chooseFormat(std::ostream& out, const double* values, int64_t count) {
  double smallest = INFINITY;
  double largest = 0;
  bool integer = true;
  for (int64_t i = 0; i < count; ++i) {
    const double v = std::abs(values[i]);
    if (!std::isfinite(v)) continue;
    integer &= v == std::floor(v);
    smallest = std::min(smallest, v);
    largest = std::max(largest, v);
  }
  const bool any = smallest <= largest;
  const int low = any ? exponent(smallest) : 1;
  const int high = any ? exponent(largest) : 1;
  if (integer && high <= 9) {
    out << std::defaultfloat;
    return {high + 1};
  }
  if (integer || high - low > 4) {
    out << std::scientific << std::setprecision(4);
    return {!integer && (std::abs(high) > 99 || std::abs(low) > 99) ? 12 : 11};
  }
  out << std::fixed << std::setprecision(4);
  if (high > 5 || high < 0) return {7, std::pow(10, high - 1)};
  return {high == 0 ? 7 : high + 6};
}

void printScale(std::ostream& out, double scale) {
  std::ostringstream text;
  text << scale << " *\n";
  out << text.str();
}

// Columns are shown in groups that fit a line. `indent` goes in front of all rows but the first.
void printMatrix(std::ostream& out, const double* values, int64_t rows, int64_t cols,
                 int64_t linesize, int indent) {
  const Format format = chooseFormat(out, values, rows * cols);
  const std::string margin(static_cast<size_t>(indent), ' ');
  const int64_t per_line = std::max<int64_t>(1, (linesize - indent) / (format.width + 1));
  for (int64_t first = 0; first < cols; first += per_line) {
    const int64_t last = std::min(cols, first + per_line);
    if (per_line < cols) {
      out << (first > 0 ? "\n" : "") << "Columns " << first + 1 << " to " << last << margin;
    }
    if (format.scale != 1) {
      printScale(out, format.scale);
      out << margin;
    }
    for (int64_t row = 0; row < rows; ++row) {
      if (row > 0) out << margin << (format.scale != 1 ? " " : "");
      for (int64_t col = first; col < last; ++col) {
        out << std::setw(format.width) << values[row * cols + col] / format.scale
            << (col + 1 < last ? ' ' : '\n');
      }
    }
  }
}

// The matrices of the last two dimensions; the first index runs first.
void printMatrices(std::ostream& out, const Tensor& tensor, int64_t linesize) {
  const auto* data = tensor.const_data_ptr<double>();
  const auto leading = static_cast<size_t>(tensor.dim() - 2);
  std::vector<int64_t> index(leading);
  const int64_t matrices = tensor.numel() / (tensor.size(-1) * tensor.size(-2));
  for (int64_t i = 0; i < matrices; ++i) {
    out << (i > 0 ? "\n(" : "(");
    int64_t offset = 0;
    for (size_t d = 0; d < leading; ++d) {
      out << index[d] + 1 << ',';
      offset += index[d] * tensor.stride(static_cast<int64_t>(d));
    }
    out << ".,.) = \n";
    printMatrix(out, data + offset, tensor.size(-2), tensor.size(-1), linesize, 1);
    for (size_t d = 0; d < leading && ++index[d] == tensor.size(static_cast<int64_t>(d)); ++d) {
      index[d] = 0;
    }
  }
}

}  // namespace

std::ostream& print(std::ostream& out, const Tensor& tensor_, int64_t linesize) {
  if (!tensor_.defined()) return out << "[ Tensor (undefined) ]";
  // Whatever style the stream has, this is PyTorch's.
  std::ostringstream text;
  if (!tensor_.is_meta()) {
    const Tensor tensor = tensor_.detach().to(ScalarType::Double).cpu().contiguous();
    const auto* data = tensor.const_data_ptr<double>();
    if (tensor.dim() == 0) {
      text << std::setprecision(16) << data[0] << '\n';
    } else if (tensor.dim() == 1 && tensor.numel() > 0) {
      const Format format = chooseFormat(text, data, tensor.numel());
      if (format.scale != 1) printScale(text, format.scale);
      for (int64_t i = 0; i < tensor.numel(); ++i) {
        text << std::setw(format.width) << data[i] / format.scale << '\n';
      }
    } else if (tensor.dim() == 2 && tensor.numel() > 0) {
      printMatrix(text, data, tensor.size(0), tensor.size(1), linesize, 0);
    } else if (tensor.numel() > 0) {
      printMatrices(text, tensor, linesize);
    }
  }
  text << "[ " << tensor_.toString() << "{";
  for (int64_t d = 0; d < tensor_.dim(); ++d) text << (d > 0 ? "," : "") << tensor_.size(d);
  return out << text.str() << "} ]";
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
