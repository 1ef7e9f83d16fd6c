# find_package(Torch): the C++ libraries of this installation, wherever it was moved.
#
#   TORCH_LIBRARIES     the targets to link
#   TORCH_INCLUDE_DIRS  directories of headers; the targets bring them along
#   TORCH_CXX_FLAGS     the ABI of the C++ library; the targets bring it along
#   TORCH_INSTALL_PREFIX
#   TORCH_LIBRARY       the file of the operators' library, and C10_LIBRARY that of c10; in the static
#                       variant both are the one archive
#
# Targets: torch (everything, also as torch_library), torch_cpu, c10; torch_cuda and c10_cuda of a build with CUDA; and, in a
# Python package, torch_python for extensions.

get_filename_component(TORCH_INSTALL_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(TORCH_INCLUDE_DIRS "${TORCH_INSTALL_PREFIX}/include")
set(TORCH_CXX_FLAGS "-D_GLIBCXX_USE_CXX11_ABI=1")

# Declares one imported library; `required` ones must be there.
function(_torch_library name required)
  if(TARGET ${name})
    return()
  endif()
  set(_file "${TORCH_INSTALL_PREFIX}/lib/lib${name}${CMAKE_SHARED_LIBRARY_SUFFIX}")
  if(NOT EXISTS "${_file}")
    if(required)
      set(Torch_FOUND FALSE PARENT_SCOPE)
      set(Torch_NOT_FOUND_MESSAGE
          "${_file} does not exist: the installation is not complete. Unpack or install it again."
          PARENT_SCOPE)
    endif()
    return()
  endif()
  add_library(${name} SHARED IMPORTED)
  set_target_properties(${name} PROPERTIES
    IMPORTED_LOCATION "${_file}"
    INTERFACE_INCLUDE_DIRECTORIES "${TORCH_INCLUDE_DIRS}"
    INTERFACE_COMPILE_DEFINITIONS "_GLIBCXX_USE_CXX11_ABI=1"
    INTERFACE_COMPILE_FEATURES cxx_std_20)
endfunction()

set(Torch_FOUND TRUE)
if(EXISTS "${TORCH_INSTALL_PREFIX}/lib/libtorch.a")
  # The static variant: operators register themselves, so all of the archive is linked.
  find_package(Threads REQUIRED)
  file(GLOB _torch_others "${TORCH_INSTALL_PREFIX}/lib/*.a")
  list(FILTER _torch_others EXCLUDE REGEX "/libtorch\\.a$")
  if(NOT TARGET torch)
    add_library(torch INTERFACE IMPORTED)
    set_target_properties(torch PROPERTIES
      INTERFACE_INCLUDE_DIRECTORIES "${TORCH_INCLUDE_DIRS}"
      INTERFACE_COMPILE_DEFINITIONS "_GLIBCXX_USE_CXX11_ABI=1"
      INTERFACE_COMPILE_FEATURES cxx_std_20
      INTERFACE_LINK_LIBRARIES
        "-Wl,--whole-archive;${TORCH_INSTALL_PREFIX}/lib/libtorch.a;-Wl,--no-whole-archive;${_torch_others};@STATIC_LINK_FLAGS@;Threads::Threads;${CMAKE_DL_LIBS}")
  endif()
else()
  _torch_library(c10 TRUE)
  _torch_library(torch_cpu TRUE)
  _torch_library(c10_cuda FALSE)
  _torch_library(torch_cuda FALSE)
  _torch_library(torch_python FALSE)
  if(Torch_FOUND AND NOT TARGET torch)
    set_target_properties(torch_cpu PROPERTIES INTERFACE_LINK_LIBRARIES c10)
    set(_torch_all "torch_cpu;c10")
    if(TARGET torch_cuda)
      # Their headers include the toolkit's.
      find_package(CUDAToolkit QUIET)
      set_property(TARGET c10_cuda APPEND PROPERTY
        INTERFACE_INCLUDE_DIRECTORIES "${CUDAToolkit_INCLUDE_DIRS}")
      set_target_properties(c10_cuda PROPERTIES INTERFACE_LINK_LIBRARIES c10)
      set_target_properties(torch_cuda PROPERTIES INTERFACE_LINK_LIBRARIES "torch_cpu;c10_cuda")
      set(_torch_all "torch_cuda;c10_cuda;${_torch_all}")
    endif()
    add_library(torch INTERFACE IMPORTED)
    # Programs that only define or call operators name no symbol of a library: keep them all.
    set_target_properties(torch PROPERTIES
      INTERFACE_LINK_LIBRARIES "-Wl,--push-state,--no-as-needed;${_torch_all};-Wl,--pop-state")
  endif()
endif()
set(TORCH_LIBRARIES torch)
if(TARGET torch_cpu)
  get_target_property(TORCH_LIBRARY torch_cpu IMPORTED_LOCATION)
  get_target_property(C10_LIBRARY c10 IMPORTED_LOCATION)
elseif(TARGET torch)
  set(TORCH_LIBRARY "${TORCH_INSTALL_PREFIX}/lib/libtorch.a")
  set(C10_LIBRARY "${TORCH_LIBRARY}")
endif()
if(TARGET torch AND NOT TARGET torch_library)
  add_library(torch_library INTERFACE IMPORTED)
  set_target_properties(torch_library PROPERTIES INTERFACE_LINK_LIBRARIES torch)
endif()
set(TORCH_FOUND ${Torch_FOUND})
