#pragma once
// Notices about settings that have no effect at the present values of others.

#include <string>
#include <vector>

#include "core/settings/fields.h"

namespace emergence {

/// "has no effect while clamp = nothing", from FieldInfo::acts_while; "" if the field acts.
std::string why_idle(const Settings& settings, const FieldInfo& info);

/// One notice per field without effect that differs from its default or is among `named`:
/// "flip has no effect while clamp = Q".
std::vector<std::string> idle_notices(const Settings& settings, const std::vector<std::string>& named = {});

/// The conditions under which the field acts, for its description: "clamp = Q", "task = loop or cart_pole, and
/// flip = true"; "" if it always acts.
std::string acts_text(const FieldInfo& info);

}  // namespace emergence
