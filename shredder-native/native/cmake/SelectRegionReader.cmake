# SPDX-License-Identifier: Apache-2.0
#
# The reader of regions (region/region_reader.h) needs zstd and Intel's multi-buffer crypto, both linked into the
# library (Debian: libzstd-dev, libipsec-mb-dev). SHREDDER_REGIONS=AUTO takes them if they are there, ON requires them,
# OFF leaves the reader out: whoever asks for it is told so then.

set(SHREDDER_REGIONS AUTO CACHE STRING "Reader of regions: AUTO, ON or OFF")
if(NOT SHREDDER_REGIONS MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "SHREDDER_REGIONS=${SHREDDER_REGIONS}: use AUTO, ON or OFF")
endif()

function(shredder_add_region_reader target)
  find_library(SHREDDER_ZSTD libzstd.a)
  find_path(SHREDDER_ZSTD_INCLUDE zstd.h)
  find_library(SHREDDER_IPSEC_MB libIPSec_MB.a)
  find_path(SHREDDER_IPSEC_MB_INCLUDE intel-ipsec-mb.h)
  if(SHREDDER_REGIONS STREQUAL OFF)
    set(left_out "SHREDDER_REGIONS=OFF")
  elseif(NOT (SHREDDER_ZSTD AND SHREDDER_ZSTD_INCLUDE AND SHREDDER_IPSEC_MB AND SHREDDER_IPSEC_MB_INCLUDE))
    set(left_out "it needs libzstd.a and libIPSec_MB.a: install libzstd-dev and libipsec-mb-dev")
    if(SHREDDER_REGIONS STREQUAL ON)
      message(FATAL_ERROR "SHREDDER_REGIONS=ON: ${left_out}")
    endif()
  endif()
  if(left_out)
    message(STATUS "Reader of regions: left out (${left_out})")
    target_sources(${target} PRIVATE region/region_reader_left_out.cpp)
    return()
  endif()
  message(STATUS "Reader of regions: ${SHREDDER_ZSTD}, ${SHREDDER_IPSEC_MB}")
  target_sources(${target} PRIVATE region/region_reader.cpp)
  target_include_directories(${target} SYSTEM PRIVATE ${SHREDDER_ZSTD_INCLUDE} ${SHREDDER_IPSEC_MB_INCLUDE})
  target_link_libraries(${target} PRIVATE ${SHREDDER_ZSTD} ${SHREDDER_IPSEC_MB})
endfunction()
