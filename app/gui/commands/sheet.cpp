#include "app/gui/commands/sheet.h"

#include <algorithm>

#include "core/base/ranges.h"

namespace emergence {

void Layers::follow() {
    std::erase_if(order_, [this](size_t index) { return !layers_[index].is_open(); });
    for (size_t i = 0; i < layers_.size(); ++i) {
        if (!layers_[i].is_open() || contains(order_, i)) continue;
        order_.push_back(i);
        panels_have_keys_ = false;
    }
}

void Layers::clicked(const std::string& window) {
    follow();
    const auto found = find_if(order_, [&](size_t index) { return layers_[index].window == window; });
    panels_have_keys_ = found == order_.end();
    if (found != order_.end()) std::rotate(found, found + 1, order_.end());
}

const Layer* Layers::top() const {
    for (auto at = order_.rbegin(); at != order_.rend(); ++at)
        if (layers_[*at].modal) return &layers_[*at];
    return panels_have_keys_ || order_.empty() ? nullptr : &layers_[order_.back()];
}

bool Layers::close_top() {
    follow();
    if (order_.empty()) return false;
    const Layer* has_keys = top();
    (has_keys != nullptr ? has_keys : &layers_[order_.back()])->close();
    follow();
    return true;
}

}  // namespace emergence
