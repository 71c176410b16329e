#pragma once
// Upper limits of the linear-attention engine. Plain constants, since lane kernels include this header.

namespace emergence {

constexpr int kMaxRows = 65;     // rows of Z: 2d+1 with d up to 32
constexpr int kMaxLayers = 128;  // layers of one forward pass

}  // namespace emergence
