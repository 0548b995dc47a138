# SPDX-License-Identifier: Apache-2.0
#
# The headers of JNI are all that the library needs of a JDK: no libjvm, so CMake's own FindJNI asks for too much.
# The JDK is JAVA_HOME (variable or environment), else that of the javac on the PATH.

if(NOT JAVA_HOME)
  set(JAVA_HOME "$ENV{JAVA_HOME}")
endif()
if(NOT JAVA_HOME)
  find_program(javac javac NO_CACHE)
  if(javac)
    file(REAL_PATH "${javac}" javac)
    cmake_path(GET javac PARENT_PATH jdk_bin)
    cmake_path(GET jdk_bin PARENT_PATH JAVA_HOME)
  endif()
endif()
if(NOT EXISTS "${JAVA_HOME}/include/jni.h")
  message(FATAL_ERROR "no include/jni.h in JAVA_HOME=${JAVA_HOME}: set JAVA_HOME to a JDK, or -DSHREDDER_JNI=OFF")
endif()
set(SHREDDER_JNI_INCLUDE_DIRS "${JAVA_HOME}/include" "${JAVA_HOME}/include/linux")
