#pragma once
// What nearly every source of the library reads, parsed once a build. Sources still include what they use: the `dev`
// preset and tests/compile_apart.sh compile each of them without this file.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/base/matrix.h"
#include "core/lab/study.h"
#include "core/settings/fields.h"
