#pragma once

namespace emergence {

/// How fast the window draws.
struct Timing {
    float frame_ms = 0.0F;           // time that the last frame took
    float frames_per_second = 0.0F;  // over the last second, of those that were drawn
};

}  // namespace emergence
