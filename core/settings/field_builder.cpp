#include "core/settings/field_builder.h"

#include <algorithm>
#include <stdexcept>

namespace emergence {

Field& Field::range(double minimum, double maximum) {
    info_->minimum = minimum;
    info_->maximum = maximum;
    return *this;
}

Field& Field::log_range(double minimum, double maximum) {
    info_->logarithmic = true;
    return range(minimum, maximum);
}

Field& Field::choices(std::vector<std::string> allowed) {
    info_->choices = std::move(allowed);
    return *this;
}

Field& Field::path(ReadsFiles reads) {
    info_->reads = std::move(reads);
    return *this;
}

Field& Field::unit(std::string unit) {
    info_->unit = std::move(unit);
    return *this;
}

Field& Field::group(std::string heading) {
    info_->group = std::move(heading);
    return *this;
}

Field& Field::live() {
    info_->applies = Applies::live;
    return *this;
}

Field& Field::advanced() {
    info_->advanced = true;
    return *this;
}

Field& Field::acts_while(std::string field, std::vector<std::string> values) {
    info_->acts_while.push_back({std::move(field), std::move(values), false});
    return *this;
}

Field& Field::idle_while(std::string field, std::vector<std::string> values) {
    info_->acts_while.push_back({std::move(field), std::move(values), true});
    return *this;
}

Field Fields::field(const std::string& name) {
    const auto found =
        std::find_if(table_.begin(), table_.end(), [&](const FieldInfo& info) { return info.name == name; });
    if (found == table_.end()) throw std::out_of_range("no field '" + name + "' has been declared");
    return Field(*found);
}

FieldInfo& Fields::add(std::string name, std::string label, std::string help) {
    FieldInfo info;
    info.name = std::move(name);
    info.label = std::move(label);
    info.help = std::move(help);
    info.group = group_;
    return table_.emplace_back(std::move(info));
}

void Fields::set(bool& member, FieldInfo& info) const {
    if (settings_) member = settings_->flag(info.name);
    info.default_value = member;
}

void Fields::set(int& member, FieldInfo& info) const {
    if (settings_) member = static_cast<int>(settings_->integer(info.name));
    info.default_value = int64_t{member};
}

void Fields::set(int64_t& member, FieldInfo& info) const {
    if (settings_) member = settings_->integer(info.name);
    info.default_value = member;
}

void Fields::set(double& member, FieldInfo& info) const {
    if (settings_) member = settings_->number(info.name);
    info.default_value = member;
}

void Fields::set(std::string& member, FieldInfo& info) const {
    if (settings_) member = settings_->text(info.name);
    info.default_value = member;
}

}  // namespace emergence
