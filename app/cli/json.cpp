#include "app/cli/json.h"

#include <cmath>
#include <ostream>

namespace emergence::cli {

Json json_number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json json_value(const FieldValue& value) {
    return std::visit([](const auto& v) { return Json(v); }, value);
}

void print_json(const Json& json, std::ostream& out) {
    // In ASCII, with the other characters as JSON spells them: so it passes any terminal and any locale.
    out << json.dump(-1, ' ', true, Json::error_handler_t::replace) << std::endl;
}

}  // namespace emergence::cli
