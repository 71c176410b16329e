#include "core/base/instruction_set.h"

#include <cstdlib>

#include "core/base/ranges.h"

// The name of the set that every build has.
#if !defined(EMERGENCE_GENERIC_LANES)
#define EMERGENCE_GENERIC_LANES "generic"
#endif

namespace emergence {

std::vector<InstructionSet> available_instruction_sets() {
    std::vector<InstructionSet> sets = {InstructionSet::generic};
#if defined(EMERGENCE_HAS_LANES_V3) || defined(EMERGENCE_HAS_LANES_V4)
    // Test x86-64-v3 and v4 by their parts, which GCC 12's builtin knows.
    const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
                    __builtin_cpu_supports("bmi2");
#endif
#if defined(EMERGENCE_HAS_LANES_V3)
    if (v3) sets.push_back(InstructionSet::x86_64_v3);
#endif
#if defined(EMERGENCE_HAS_LANES_V4)
    if (v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        sets.push_back(InstructionSet::x86_64_v4);
#endif
    return sets;
}

InstructionSet instruction_set() {
    static const InstructionSet chosen = [] {
        const auto available = available_instruction_sets();
        const char* wish = std::getenv("EMERGENCE_ISA");
        const auto wished = find_if(available, [&](InstructionSet set) { return wish && name_of(set) == wish; });
        return wished != available.end() ? *wished : available.back();
    }();
    return chosen;
}

std::string name_of(InstructionSet set) {
    if (set == InstructionSet::generic) return EMERGENCE_GENERIC_LANES;
    return set == InstructionSet::x86_64_v3 ? "v3" : "v4";
}

}  // namespace emergence
