#include <c10/core/Layout.h>
#include <c10/util/Exception.h>

#include <ostream>

namespace c10 {

std::ostream& operator<<(std::ostream& stream, Layout layout) {
  switch (layout) {
    case Layout::Strided:
      return stream << "Strided";
    case Layout::Sparse:
      return stream << "Sparse";
    case Layout::SparseCsr:
      return stream << "SparseCsr";
    case Layout::Mkldnn:
      return stream << "Mkldnn";
    case Layout::SparseCsc:
      return stream << "SparseCsc";
    case Layout::SparseBsr:
      return stream << "SparseBsr";
    case Layout::SparseBsc:
      return stream << "SparseBsc";
    case Layout::Jagged:
      return stream << "Jagged";
    default:
      TORCH_CHECK(false, "Unknown layout");
  }
}

}  // namespace c10
