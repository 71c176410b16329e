#include "core/settings/staging.h"

#include <utility>

namespace emergence {
namespace {

constexpr std::pair<const char*, std::vector<std::string> Staging::*> kLists[] = {
    {"stage", &Staging::stage}, {"wings", &Staging::wings}, {"controls", &Staging::controls}};

}  // namespace

Staging staging_in(const ViewValues& view) {
    Staging staging;
    for (const auto& [name, list] : kLists)
        if (const auto found = view.find(name); found != view.end())
            if (const auto* ids = std::get_if<std::vector<std::string>>(&found->second)) staging.*list = *ids;
    return staging;
}

void write_staging(const Staging& staging, ViewValues& view) {
    for (const auto& [name, list] : kLists)
        if ((staging.*list).empty())
            view.erase(name);
        else
            view[name] = staging.*list;
}

}  // namespace emergence
