#pragma once
// What the linear-attention engine takes at most. Plain constants: lane kernels read this header too.

namespace emergence {

constexpr int kMaxRows = 65;     // rows of Z: 2d+1 with d up to 32
constexpr int kMaxLayers = 128;  // layers of one forward pass

}  // namespace emergence
