#pragma once
// What Dear ImGui has renamed since 1.86, Debian 12's version: Ubuntu 24.04 has 1.90.

#include <imgui_internal.h>

namespace emergence {

#if IMGUI_VERSION_NUM >= 18700
inline constexpr ImGuiKey kKeypadEnter = ImGuiKey_KeypadEnter;
#else
inline constexpr ImGuiKey kKeypadEnter = ImGuiKey_KeyPadEnter;
#endif

}  // namespace emergence
