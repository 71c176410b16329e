#include "app/gui/commands/sheet.h"

#include <algorithm>

#include "core/base/ranges.h"

namespace emergence {

void Layers::follow() {
    std::erase_if(order_, [](const Sheet* sheet) { return !sheet->is_open(); });
    for (Sheet* sheet : sheets_) {
        if (!sheet->is_open() || contains(order_, sheet)) continue;
        order_.push_back(sheet);
        panels_have_keys_ = false;
    }
}

void Layers::clicked(const std::string& window) {
    follow();
    const auto found = find_if(order_, [&](const Sheet* sheet) { return sheet->name() == window; });
    panels_have_keys_ = found == order_.end();
    if (found != order_.end()) std::rotate(found, found + 1, order_.end());
}

Sheet* Layers::top() const {
    for (auto at = order_.rbegin(); at != order_.rend(); ++at)
        if ((*at)->is_modal()) return *at;
    return panels_have_keys_ || order_.empty() ? nullptr : order_.back();
}

bool Layers::close_top() {
    follow();
    if (order_.empty()) return false;
    Sheet* has_keys = top();
    (has_keys != nullptr ? has_keys : order_.back())->close();
    follow();
    return true;
}

}  // namespace emergence
