#pragma once
// Which compiled set of lane kernels this machine can run.

#include <string>
#include <vector>

namespace emergence {

enum class InstructionSet { generic, x86_64_v3, x86_64_v4 };

/// The widest set that this build has and this machine supports; EMERGENCE_ISA=generic|v3|v4 in the
/// environment asks for a narrower one (read once). All sets give the same bits.
InstructionSet instruction_set();

/// Those that this build has and this machine supports, narrowest first.
std::vector<InstructionSet> available_instruction_sets();

std::string name_of(InstructionSet set);

}  // namespace emergence
