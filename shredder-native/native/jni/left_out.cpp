// SPDX-License-Identifier: Apache-2.0
//
// Without SHREDDER_JNI the library is the C API alone; a shared library needs one source of its own.
#include "shredder.h"

static_assert(SHREDDER_ABI_VERSION >= 1);
