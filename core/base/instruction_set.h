#pragma once
// The compiled set of lane kernels that this machine runs.

#include <string>
#include <vector>

namespace emergence {

enum class InstructionSet { generic, x86_64_v3, x86_64_v4 };

/// The widest set that this build contains and this machine supports. The environment variable
/// EMERGENCE_ISA=generic|v3|v4, read once, selects a narrower one. All sets give the same bits. In a browser the generic
/// set is called wasm and does not (core/base/lanes_wasm.h).
InstructionSet instruction_set();

/// The sets that this build contains and this machine supports, narrowest first.
std::vector<InstructionSet> available_instruction_sets();

std::string name_of(InstructionSet set);

}  // namespace emergence
