#include "app/cli/json.h"

#include <cmath>
#include <ostream>

#include "core/base/utf8.h"

namespace emergence::cli {

Json json_number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json json_value(const FieldValue& value) {
    return std::visit([](const auto& v) { return Json(v); }, value);
}

void print_json(const Json& json, std::ostream& out) {
    std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    // What cannot be seen is spelled as JSON spells it.
    if (shown_text(text) != text) text = json.dump(-1, ' ', true, Json::error_handler_t::replace);
    out << text << std::endl;
}

}  // namespace emergence::cli
