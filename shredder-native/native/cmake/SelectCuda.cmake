# SPDX-License-Identifier: Apache-2.0
#
# CUDA is optional. SHREDDER_CUDA=AUTO uses a toolkit if one is found, ON requires one, OFF leaves the backend out.
# The toolkit is SHREDDER_NVCC (its root, the folder above bin/nvcc), the one that tools/cuda-toolkit.sh installed, or
# nvcc on the PATH. Both may be given as variables or in the environment. Neither a GPU nor a driver is needed to build.

set(SHREDDER_CUDA "" CACHE STRING "CUDA backend: AUTO, ON or OFF; empty: the environment's SHREDDER_CUDA, else AUTO")
set(SHREDDER_NVCC "$ENV{SHREDDER_NVCC}" CACHE PATH "Root of the CUDA toolkit")
set(SHREDDER_CUDA_ARCHITECTURES "80-real;90-real;100-real;100-virtual" CACHE STRING "As CMAKE_CUDA_ARCHITECTURES")
# One, as each costs a pass of the compiler: whoever measures on an older device says which.
set(SHREDDER_CUDA_TOOL_ARCHITECTURES "90" CACHE STRING "The same, of tests and of programs that measure")

set(SHREDDER_CUDA_CHOICE "${SHREDDER_CUDA}")
if(SHREDDER_CUDA_CHOICE STREQUAL "")
  set(SHREDDER_CUDA_CHOICE "$ENV{SHREDDER_CUDA}")
endif()
if(SHREDDER_CUDA_CHOICE STREQUAL "")
  set(SHREDDER_CUDA_CHOICE AUTO)
endif()
if(NOT SHREDDER_CUDA_CHOICE MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "SHREDDER_CUDA=${SHREDDER_CUDA_CHOICE}: use AUTO, ON or OFF")
endif()

function(shredder_find_nvcc result)
  if(SHREDDER_NVCC)
    set(nvcc "${SHREDDER_NVCC}/bin/nvcc")
    if(NOT EXISTS "${nvcc}")
      message(FATAL_ERROR "SHREDDER_NVCC=${SHREDDER_NVCC} has no bin/nvcc")
    endif()
  else()
    find_program(nvcc nvcc NO_CACHE
      HINTS "${CMAKE_CURRENT_SOURCE_DIR}/../../.tools/cuda/nvidia/cu13/bin" /usr/local/cuda/bin)
  endif()
  set(${result} "${nvcc}" PARENT_SCOPE)
endfunction()

set(SHREDDER_WITH_CUDA OFF)
if(NOT SHREDDER_CUDA_CHOICE STREQUAL OFF)
  shredder_find_nvcc(SHREDDER_NVCC_PATH)
  if(SHREDDER_NVCC_PATH)
    set(SHREDDER_WITH_CUDA ON)
  elseif(SHREDDER_CUDA_CHOICE STREQUAL ON)
    message(FATAL_ERROR "SHREDDER_CUDA=ON but there is no nvcc: run tools/cuda-toolkit.sh, or set SHREDDER_NVCC")
  endif()
endif()

macro(shredder_enable_cuda)
  if(SHREDDER_WITH_CUDA)
    set(CMAKE_CUDA_COMPILER "${SHREDDER_NVCC_PATH}")
    set(CMAKE_CUDA_ARCHITECTURES "${SHREDDER_CUDA_ARCHITECTURES}")
    set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
    enable_language(CUDA)
    # CMake 3.25 does not know that nvcc has C++20 since its version 12.
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
    message(STATUS "CUDA backend: ${SHREDDER_NVCC_PATH}, ${SHREDDER_CUDA_ARCHITECTURES}")
  else()
    message(STATUS "CUDA backend: left out (SHREDDER_CUDA=${SHREDDER_CUDA_CHOICE}, no nvcc found or wanted)")
  endif()
endmacro()

function(shredder_add_cuda_sources target)
  if(NOT SHREDDER_WITH_CUDA)
    target_sources(${target} PRIVATE cuda/cuda_left_out.cpp)
    return()
  endif()
  target_sources(${target} PRIVATE
    cuda/blake3.cu
    cuda/coding_product.cu
    cuda/coding_program.cpp
    cuda/compact.cu
    cuda/cuda_coder.cu
    cuda/cuda_device.cu
    cuda/cuda_digest.cu
    cuda/cuda_survey.cu
    cuda/cuda_workspace.cu
    cuda/order.cu
    cuda/rabin.cu
    cuda/resident_matrix.cu
    cuda/sha256.cu
    cuda/shared_sums.cpp
    cuda/transform_program.cpp)
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra,-fvisibility=hidden>
    $<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<BOOL:${SHREDDER_WARNINGS_AS_ERRORS}>>:-Werror=all-warnings -Xcompiler=-Werror>)
endfunction()

# Where a program has CUDA sources of its own.
function(shredder_set_tool_architectures)
  set_target_properties(${ARGN} PROPERTIES CUDA_ARCHITECTURES "${SHREDDER_CUDA_TOOL_ARCHITECTURES}")
endfunction()
