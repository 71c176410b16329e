#pragma once
// Settings that have no effect beside the others: said rather than passed over in silence.

#include <string>
#include <vector>

#include "core/settings/fields.h"

namespace emergence {

/// "has no effect while clamp = nothing", from FieldInfo::acts_while; "" where the field acts.
std::string why_idle(const Settings& settings, const FieldInfo& info);

/// A sentence for every field that was asked for in vain: one that differs from its default, or is among
/// `named`, and has no effect. "flip has no effect while clamp = Q".
std::vector<std::string> idle_notices(const Settings& settings, const std::vector<std::string>& named = {});

/// When the field acts, for whoever reads about it: "clamp = Q", "task = loop or cart_pole, and flip = true";
/// "" for always.
std::string acts_text(const FieldInfo& info);

}  // namespace emergence
