#include "app/gui/widgets/wheel.h"

#include <imgui_internal.h>

namespace emergence {

bool takes_wheel() {
    if (!ImGui::GetIO().KeyCtrl) return false;
    ImGui::SetItemUsingMouseWheel();
    return true;
}

}  // namespace emergence
