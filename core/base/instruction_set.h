#pragma once
// The compiled set of lane kernels that this machine runs.

#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace emergence {

enum class InstructionSet { generic, x86_64_v3, x86_64_v4 };

/// The widest set that this build contains and this machine supports. The environment variable
/// EMERGENCE_ISA=generic|v3|v4, read once, selects a narrower one. All sets give the same bits. In a browser the
/// generic set is called wasm, and its bits differ (core/base/lanes.h).
InstructionSet instruction_set();

/// The sets that this build contains and this machine supports, narrowest first.
std::vector<InstructionSet> available_instruction_sets();

std::string name_of(InstructionSet set);

}  // namespace emergence

// Declares and calls functions that a *_kernels.cpp compiles once per instruction set:
//
//     EMERGENCE_DECLARE_ON_LANES(void scale_lanes(float*, int);)
//
//     void scale(float* x, int n) { EMERGENCE_ON_LANES(instruction_set(), scale_lanes(x, n)); }

#if defined(EMERGENCE_HAS_LANES_V3)
#define EMERGENCE_DECLARE_V3(...) \
    namespace lanes_v3 {          \
    __VA_ARGS__                   \
    }
#define EMERGENCE_CASE_V3(...)      \
    case InstructionSet::x86_64_v3: \
        return lanes_v3::__VA_ARGS__;
#else
#define EMERGENCE_DECLARE_V3(...)
#define EMERGENCE_CASE_V3(...)
#endif
#if defined(EMERGENCE_HAS_LANES_V4)
#define EMERGENCE_DECLARE_V4(...) \
    namespace lanes_v4 {          \
    __VA_ARGS__                   \
    }
#define EMERGENCE_CASE_V4(...)      \
    case InstructionSet::x86_64_v4: \
        return lanes_v4::__VA_ARGS__;
#else
#define EMERGENCE_DECLARE_V4(...)
#define EMERGENCE_CASE_V4(...)
#endif
#define EMERGENCE_DECLARE_ON_LANES(...) \
    namespace lanes_generic {           \
    __VA_ARGS__                         \
    }                                   \
    EMERGENCE_DECLARE_V3(__VA_ARGS__)   \
    EMERGENCE_DECLARE_V4(__VA_ARGS__)
/// Calls the function in the namespace of this InstructionSet, which the build has, and returns its result.
#define EMERGENCE_ON_LANES(set, ...)       \
    [&] {                                  \
        switch (set) {                     \
            EMERGENCE_CASE_V4(__VA_ARGS__) \
            EMERGENCE_CASE_V3(__VA_ARGS__) \
            default:                       \
                break;                     \
        }                                  \
        return lanes_generic::__VA_ARGS__; \
    }()

/// The same for kernels of T. Those of double exist in the generic set only: tests compare them with the naive forms.
#define EMERGENCE_FLOAT_ON_LANES(T, set, ...)            \
    [&] {                                                \
        (void)(set);                                     \
        if constexpr (std::is_same_v<T, float>)          \
            return EMERGENCE_ON_LANES(set, __VA_ARGS__); \
        else                                             \
            return lanes_generic::__VA_ARGS__;           \
    }()

namespace emergence {

/// Owns what a kernel's maker returns.
template <class Kernel>
std::unique_ptr<Kernel> made_on_lanes(Kernel* kernel) {
    return std::unique_ptr<Kernel>(kernel);
}

}  // namespace emergence
