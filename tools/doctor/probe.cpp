// Calls each library that this build is configured with, compares what it computes, and prints a
// line of JSON for each: the file that answered, its version, and whether the answer was right.
// //tools/doctor runs it.
#include <dlfcn.h>
#include <gnu/libc-version.h>

#include <Eigen/Dense>
#include <cmath>
#include <cstdio>
#include <exception>
#include <random>
#include <string>
#include <vector>

#ifdef _OPENMP
#include <omp.h>
#endif

#ifdef TORCH_USE_BLAS
extern "C" void sgemm_(const char*, const char*, const int*, const int*, const int*, const float*,
                       const float*, const int*, const float*, const int*, const float*, float*,
                       const int*);
#endif
#ifdef TORCH_BLAS_HAS_LAPACK
extern "C" void dgesv_(const int*, const int*, double*, const int*, int*, double*, const int*,
                       int*);
#endif

namespace {

constexpr int kSize = 17;

std::string escaped(const std::string& text) {
  std::string result;
  for (char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c != '\n') result += c;
  }
  return result;
}

// The file that a function was loaded from.
std::string file_of(const void* function) {
  Dl_info info;
  return dladdr(function, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : "";
}

void report(const char* part, bool right, const std::string& says, const void* function,
            const std::string& version) {
  std::printf(R"({"part": "%s", "right": %s, "says": "%s", "file": "%s", "version": "%s"})"
              "\n",
              part, right ? "true" : "false", escaped(says).c_str(),
              escaped(file_of(function)).c_str(), escaped(version).c_str());
}

template <typename T>
std::vector<T> random_numbers(int count) {
  static std::mt19937 engine(std::random_device{}());
  std::uniform_real_distribution<T> draw(-1, 1);
  std::vector<T> result(count);
  for (T& value : result) value = draw(engine);
  return result;
}

// The largest difference of c, column by column, and the product of a and b.
double product_error(const std::vector<float>& a, const std::vector<float>& b,
                     const std::vector<float>& c) {
  double worst = 0;
  for (int i = 0; i < kSize; ++i) {
    for (int j = 0; j < kSize; ++j) {
      double sum = 0;
      for (int k = 0; k < kSize; ++k) sum += double(a[i + k * kSize]) * double(b[k + j * kSize]);
      worst = std::max(worst, std::abs(sum - double(c[i + j * kSize])));
    }
  }
  return worst;
}

// The largest difference of a x and b.
double solution_error(const std::vector<double>& a, const std::vector<double>& b,
                      const std::vector<double>& x) {
  double worst = 0;
  for (int i = 0; i < kSize; ++i) {
    double sum = 0;
    for (int k = 0; k < kSize; ++k) sum += a[i + k * kSize] * x[k];
    worst = std::max(worst, std::abs(sum - b[i]));
  }
  return worst;
}

#ifdef TORCH_USE_BLAS
std::string version_by(const char* name) {
  auto* function = reinterpret_cast<const char* (*)()>(dlsym(RTLD_DEFAULT, name));
  return function == nullptr ? "" : function();
}
#endif

void probe_runtime() {
  bool caught = false;
  try {
    throw std::vector<int>{1};
  } catch (const std::vector<int>&) {
    caught = true;
  }
  report("C++ library", caught, "an exception is thrown and caught",
         reinterpret_cast<void*>(&std::terminate), "");
  report("libc", true, "loads", reinterpret_cast<void*>(&gnu_get_libc_version),
         gnu_get_libc_version());
}

void probe_openmp() {
#ifdef _OPENMP
  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 1000; ++i) sum += i;
  report("OpenMP", sum == 499500,
         std::to_string(omp_get_max_threads()) + " threads sum 1000 numbers",
         reinterpret_cast<void*>(&omp_get_max_threads), "OpenMP " + std::to_string(_OPENMP));
#endif
}

void probe_products() {
  const auto a = random_numbers<float>(kSize * kSize);
  const auto b = random_numbers<float>(kSize * kSize);
  std::vector<float> c(kSize * kSize);
  const char* says = "multiplies two random matrices";
#ifdef TORCH_USE_BLAS
  const int n = kSize;
  const float one = 1, zero = 0;
  sgemm_("N", "N", &n, &n, &n, &one, a.data(), &n, b.data(), &n, &zero, c.data(), &n);
  std::string version;
  for (const char* name : {"openblas_get_config", "bli_info_get_version_str"}) {
    if (version.empty()) version = version_by(name);
  }
  report("BLAS", product_error(a, b, c) < 1e-4, says, reinterpret_cast<void*>(&sgemm_), version);
#else
  using Matrix = Eigen::Map<const Eigen::MatrixXf>;
  Eigen::Map<Eigen::MatrixXf>(c.data(), kSize, kSize) =
      Matrix(a.data(), kSize, kSize) * Matrix(b.data(), kSize, kSize);
  const std::string version = std::to_string(EIGEN_WORLD_VERSION) + "." +
                              std::to_string(EIGEN_MAJOR_VERSION) + "." +
                              std::to_string(EIGEN_MINOR_VERSION);
  report("BLAS", product_error(a, b, c) < 1e-4, std::string("Eigen ") + says, nullptr,
         "Eigen " + version);
#endif
}

void probe_decompositions() {
  const auto a = random_numbers<double>(kSize * kSize);
  const auto b = random_numbers<double>(kSize);
  std::vector<double> x = b;
  const char* says = "solves a random system";
#ifdef TORCH_BLAS_HAS_LAPACK
  std::vector<double> factors = a;
  std::vector<int> pivots(kSize);
  const int n = kSize, one = 1;
  int info = 0;
  dgesv_(&n, &one, factors.data(), &n, pivots.data(), x.data(), &n, &info);
  report("LAPACK", info == 0 && solution_error(a, b, x) < 1e-6, says,
         reinterpret_cast<void*>(&dgesv_), "");
#else
  Eigen::Map<Eigen::VectorXd>(x.data(), kSize) =
      Eigen::Map<const Eigen::MatrixXd>(a.data(), kSize, kSize)
          .partialPivLu()
          .solve(Eigen::Map<const Eigen::VectorXd>(b.data(), kSize));
  report("LAPACK", solution_error(a, b, x) < 1e-6, std::string("Eigen ") + says, nullptr, "");
#endif
}

}  // namespace

int main() {
  probe_runtime();
  probe_openmp();
  probe_products();
  probe_decompositions();
}
