# find_package(Caffe2): another name that PyTorch has for its C++ libraries. Targets and variables are
# those of find_package(Torch).

get_filename_component(_torch_config "${CMAKE_CURRENT_LIST_DIR}/../Torch" ABSOLUTE)
find_package(Torch CONFIG QUIET PATHS "${_torch_config}" NO_DEFAULT_PATH)
set(Caffe2_FOUND ${Torch_FOUND})
if(NOT Caffe2_FOUND)
  set(Caffe2_NOT_FOUND_MESSAGE "${Torch_NOT_FOUND_MESSAGE}")
endif()
set(CAFFE2_INCLUDE_DIRS "${TORCH_INCLUDE_DIRS}")
set(Caffe2_MAIN_LIBS torch_library)
