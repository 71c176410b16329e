#pragma once
// What Dear ImGui has renamed since 1.86, Debian 12's version: Ubuntu 24.04 has 1.90.

#include <imgui_internal.h>

namespace emergence {

#if IMGUI_VERSION_NUM >= 18700
inline constexpr ImGuiKey kKeypadEnter = ImGuiKey_KeypadEnter;
#else
inline constexpr ImGuiKey kKeypadEnter = ImGuiKey_KeyPadEnter;
#endif

/// Seconds until ImGui forgets which window is being scrolled.
inline float& wheel_timer(ImGuiContext& context) {
#if IMGUI_VERSION_NUM >= 18900
    return context.WheelingWindowReleaseTimer;
#else
    return context.WheelingWindowTimer;
#endif
}

}  // namespace emergence
