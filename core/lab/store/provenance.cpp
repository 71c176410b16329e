#include "core/lab/store/provenance.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <system_error>

#include "core/base/error.h"
#include "core/base/instruction_set.h"
#include "core/base/version.h"
#include "core/files/atomic_write.h"
#include "core/settings/fields.h"
#include "core/settings/toml.h"
#include "core/settings/toml_reader.h"

namespace emergence {
namespace {

constexpr size_t kLargestProvenance = size_t{1} << 20;
constexpr std::string_view kHead =
    "# How these files were made. This file and the training time differ between machines; all else has the same "
    "bytes everywhere.\n";

// The command without the places of this machine: "/home/ada/bin/emergence-cli run td --out /home/ada/r" is
// "emergence-cli run td --out r".
std::string without_places(const std::string& command) {
    constexpr std::string_view kBetween = " '\"=,:";
    std::string text;
    for (size_t from = 0; from < command.size();) {
        const size_t end = std::min(command.find_first_of(kBetween, from), command.size());
        text += without_place(command.substr(from, end - from));
        if (end < command.size()) text += command[end];
        from = end + 1;
    }
    return text;
}

}  // namespace

std::string processor_name() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
        if (!line.starts_with("model name")) continue;
        const size_t colon = line.find(": ");
        if (colon != std::string::npos) return line.substr(colon + 2);
    }
    return "unknown";
}

std::string session_to_toml(const ProvenanceSession& session) {
    std::string text = fmt::format("[[session]]\ncommand = {}\nversion = {}\n",
                                   quoted_toml(without_places(session.command)), quoted_toml(version()));
    if (!commit().empty()) text += fmt::format("commit = {}\n", quoted_toml(commit()));
    text += fmt::format("started = {}\nprocessor = {}\ninstruction_set = {}\nthreads = {}\nfrom_step = {}\n",
                        quoted_toml(session.started), quoted_toml(processor_name()),
                        quoted_toml(name_of(instruction_set())), session.threads, session.from_step);
    if (session.autosave) text += fmt::format("autosave = {}\n", *session.autosave);
    if (session.moments) text += fmt::format("moments = {}\n", *session.moments);
    if (!session.settings.empty()) text += fmt::format("settings = {}\n", quoted_toml(session.settings));
    if (!session.width.empty()) text += fmt::format("width = {}\n", quoted_toml(session.width));
    if (session.dots_per_inch) text += fmt::format("dots_per_inch = {}\n", *session.dots_per_inch);
    if (!session.caption) text += "caption = false\n";
    std::string stage;
    for (const std::string& plot : session.stage) stage += (stage.empty() ? "" : ", ") + quoted_toml(plot);
    if (!stage.empty()) text += fmt::format("stage = [{}]\n", stage);
    if (session.to_step) text += fmt::format("to_step = {}\n", *session.to_step);
    if (session.seconds) text += fmt::format("seconds = {:.1f}\n", *session.seconds);
    if (session.cpu_seconds) text += fmt::format("cpu_seconds = {:.1f}\n", *session.cpu_seconds);
    return text;
}

ProvenanceSession last_session_in(const std::filesystem::path& folder) {
    ProvenanceSession session;
    try {
        const toml::table file = read_toml(folder / kProvenanceFile, kLargestProvenance);
        const toml::array* sessions = file["session"].as_array();
        for (size_t i = 0; sessions != nullptr && i < sessions->size(); ++i) {
            const toml::table* one = sessions->get(i)->as_table();
            if (one == nullptr) continue;
            if (const auto seconds = (*one)["autosave"].value<double>()) session.autosave = *seconds;
            if (const auto count = (*one)["moments"].value<int>()) session.moments = *count;
            session.settings = (*one)["settings"].value_or(std::string());
            session.width = (*one)["width"].value_or(std::string());
            session.dots_per_inch = (*one)["dots_per_inch"].value<int>();
            session.caption = (*one)["caption"].value_or(true);
            session.stage.clear();
            if (const toml::array* plots = (*one)["stage"].as_array())
                for (const toml::node& plot : *plots) session.stage.push_back(plot.value_or(std::string()));
        }
    } catch (const std::runtime_error&) {
        // Nothing is known of how it was made.
    }
    return session;
}

bool is_provenance(std::string_view text) {
    const std::string_view first = kHead.substr(0, kHead.find('.'));
    return text.starts_with(first) || first.starts_with(text);
}

Provenance::Provenance(const std::filesystem::path& folder, bool resumed)
    : file_(folder / kProvenanceFile), before_(kHead) {
    std::error_code ignored;
    if (!resumed || !std::filesystem::exists(file_, ignored)) return;
    try {
        before_ = as_text(read_file(file_, kLargestProvenance));
    } catch (const std::runtime_error&) {
        // Larger than any provenance, or unreadable: this session begins it anew.
    }
}

void Provenance::write(const ProvenanceSession& session) const {
    write_file(file_, std::string_view(before_ + "\n" + session_to_toml(session)));
}

}  // namespace emergence
