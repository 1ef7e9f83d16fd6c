#include <ATen/native/ConvLibrary.h>

namespace at::native {

DEFINE_DISPATCH(conv_library_stub);

ConvLibraryOptions& conv_library_options() {
  static ConvLibraryOptions options;
  return options;
}

}  // namespace at::native
