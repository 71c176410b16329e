#pragma once
// Places of the blocks of P and Q, as rows and as columns: phi, gamma phi', R, and with average reward the
// memory.

namespace emergence {

inline constexpr int kNowBlock = 0, kNextBlock = 1, kRewardBlock = 2, kMemoryBlock = 3;

}  // namespace emergence
