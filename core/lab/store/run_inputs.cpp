#include "core/lab/store/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <system_error>

#include "core/base/error.h"
#include "core/base/instruction_set.h"
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/base/version.h"
#include "core/files/atomic_write.h"
#include "core/files/bytes.h"
#include "core/files/folders.h"
#include "core/lab/jobs/job_grid.h"
#include "core/settings/fields.h"
#include "core/settings/toml.h"
#include "core/settings/toml_reader.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

constexpr size_t kLargestInput = size_t{1} << 28;

RunInput input_at(const FieldInfo& field, const std::string& path, const fs::path& file, const std::string& copy) {
    if (!is_utf8(copy))
        throw InputError("{}: the name of {} is not UTF-8. Rename it, for example with convmv", field.name,
                         shown_text(file.string()));
    const std::vector<std::byte> bytes = read_file(file, kLargestInput);
    return {field.name, path, file, copy, bytes.size(), crc_of(bytes)};
}

// Adds the files that the setting reads in the folder that it names, and in folders there.
void add_folder(const FieldInfo& field, const std::string& path, const fs::path& at, const std::string& copy,
                bool deeper, std::vector<RunInput>& inputs) {
    const ReadsFiles& reads = *field.reads;
    std::vector<fs::path> folders;
    for (const fs::path& entry : entries_in(at)) {
        const std::string name = entry.filename().string();
        const fs::file_type kind = kind_of_file(entry);
        const auto is_entry = [&](const std::string& read) {
            return read.starts_with('.') ? entry.extension() == read : name == read;
        };
        if (kind == fs::file_type::regular && any_of(reads.in_folder, is_entry))
            inputs.push_back(input_at(field, path, entry, copy + "/" + name));
        else if (deeper && kind == fs::file_type::directory && reads.inner == name)
            folders.push_back(entry);
    }
    for (const fs::path& folder : folders)
        add_folder(field, path, folder, copy + "/" + folder.filename().string(), false, inputs);
}

// The settings that name a file or folder, with its path.
std::vector<std::pair<const FieldInfo*, std::string>> paths_of(const Settings& settings) {
    std::vector<std::pair<const FieldInfo*, std::string>> paths;
    for (const FieldInfo& field : settings.fields())
        if (const auto* path = std::get_if<std::string>(&settings.value(field.name));
            path != nullptr && !path->empty() && field.reads)
            paths.emplace_back(&field, *path);
    return paths;
}

// True if the files that the setting names are still those that were copied.
bool is_unchanged(const std::vector<RunInput>& copies, const std::string& field, const Settings& settings,
                  const fs::path& folder) {
    const auto of_field = [&](const RunInput& input) { return input.field == field; };
    return inputs_to_toml(filtered(inputs_of(settings, folder), of_field)) ==
           inputs_to_toml(filtered(copies, of_field));
}

// True if Emergence reads or writes in this folder.
bool is_used(const fs::path& folder) {
    constexpr std::array kOwn = {kJobsFolder, kInputsFolder};
    constexpr std::array kFiles = {"config.toml", "claims.toml", kSweepFile, kProvenanceFile};
    return contains(kOwn, folder.filename()) || any_of(kFiles, [&](const char* name) {
               std::error_code ignored;
               return fs::exists(fs::symlink_status(folder / name, ignored));
           });
}

void check_entries(const fs::path& folder, const fs::path& outer, bool all) {
    std::error_code ignored;
    for (const fs::path& path : all_entries_in(folder)) {
        const fs::file_type type = fs::symlink_status(path, ignored).type();
        if (type == fs::file_type::symlink) {
            const fs::path leads = folder / fs::read_symlink(path, ignored);
            if (!lies_in(leads, outer))
                throw InputError(
                    "{}: is a link out of its folder, to {}. Emergence does not follow such links. Remove it, or "
                    "replace it by a copy",
                    path.string(), leads.string());
        } else if (type == fs::file_type::directory) {
            if (all || is_used(path)) check_entries(path, outer, all || path.filename() == kInputsFolder);
        } else if (type != fs::file_type::regular && type != fs::file_type::not_found) {
            throw InputError("{}: is neither a file nor a folder. Remove it", path.string());
        }
    }
}

}  // namespace

std::vector<RunInput> inputs_of(const Settings& settings, const fs::path& folder) {
    std::vector<RunInput> inputs;
    for (const auto& [field, path] : paths_of(settings)) {
        if (!why_idle(settings, *field).empty() || lies_in(path, folder)) continue;
        const fs::file_type kind = kind_of_file(path);
        if (kind == fs::file_type::regular)
            inputs.push_back(input_at(*field, path, path, field->name + fs::path(path).extension().string()));
        else if (kind == fs::file_type::directory)
            add_folder(*field, path, path, field->name, true, inputs);
    }
    return inputs;
}

std::string setting_inside(const Settings& settings, const fs::path& folder) {
    std::error_code ignored;
    for (const auto& [field, path] : paths_of(settings))
        if (fs::exists(path, ignored) && lies_in(path, folder)) return field->name;
    return "";
}

std::string inputs_to_toml(const std::vector<RunInput>& inputs) {
    std::string text;
    for (const RunInput& input : inputs)
        text += fmt::format("{}[[input]]\nfield = {}\npath = {}\ncopy = {}\nbytes = {}\ncrc32 = \"{:08x}\"\n",
                            text.empty() ? "" : "\n", quoted_toml(input.field), quoted_toml(without_place(input.path)),
                            quoted_toml(input.copy), input.bytes, input.crc);
    return text;
}

std::vector<RunInput> read_inputs(const fs::path& folder) {
    const fs::path file = folder / kInputsFolder / kInputsFile;
    if (kind_of_file(file) == fs::file_type::not_found) return {};
    const std::string source = file.string();
    const toml::table root = read_toml(file);
    std::vector<RunInput> inputs;
    const toml::array* list = root["input"].as_array();
    if (list == nullptr) return inputs;
    for (const toml::node& node : *list) {
        const toml::table* table = node.as_table();
        if (table == nullptr) throw InputError("{}: [[input]]: a table is needed", source);
        const auto text = [&](const char* key) {
            if (const auto value = (*table)[key].value<std::string>()) return *value;
            throw InputError("{}: [[input]]: {} is missing, a text in quotes", source, key);
        };
        inputs.push_back({text("field"), text("path"), folder / kInputsFolder / text("copy"), text("copy"),
                          static_cast<uint64_t>((*table)["bytes"].value_or(int64_t{0})),
                          static_cast<uint32_t>(std::strtoul(text("crc32").c_str(), nullptr, 16))});
    }
    return inputs;
}

void copy_inputs(const std::vector<RunInput>& inputs, const fs::path& folder) {
    if (inputs.empty()) return;
    const fs::path copies = folder / kInputsFolder;
    for (const RunInput& input : inputs) {
        const fs::path copy = copies / input.copy;
        make_folder(copy.parent_path());
        write_file(copy, read_file(input.file, kLargestInput));
    }
    write_file(copies / kInputsFile, std::string_view(inputs_to_toml(inputs)));
}

void show_inside(const fs::path& folder, Settings& settings) {
    std::error_code failed;
    for (const auto& [field, path] : paths_of(settings)) {
        if (!lies_in(path, folder) || lies_in(path, folder / kInputsFolder))
            continue;  // use_copied_inputs() shows a copy as the original
        const fs::path inside = fs::relative(path, folder, failed);
        if (!failed) settings.show_as(field->name, inside == "." ? "." : "./" + inside.string());
    }
}

std::vector<std::string> use_copied_inputs(const fs::path& folder, Settings& settings) {
    std::vector<std::string> notices;
    std::error_code failed;
    for (const auto& [field, inside] : paths_of(settings)) {
        const fs::path file = folder / inside;
        if ((inside != "." && !inside.starts_with("./")) || !fs::exists(file, failed)) continue;
        settings.set(field->name, file.lexically_normal().string());
        show_inside(folder, settings);
    }
    const std::vector<RunInput> copies = read_inputs(folder);
    std::map<std::string, std::string> paths;  // of each setting with copies
    for (const RunInput& input : copies) paths[input.field] = input.path;
    for (const auto& [field, path] : paths) {
        std::error_code ignored;
        const fs::path inputs = folder / kInputsFolder;
        const bool is_folder = fs::is_directory(inputs / field, ignored);
        const std::string name = is_folder ? field : field + fs::path(path).extension().string();
        if (!settings.has(field)) continue;
        // A window that opened the run may have saved the copy's name.
        const auto* named = std::get_if<std::string>(&settings.value(field));
        if (named == nullptr || (without_place(*named) != without_place(path) && *named != name)) continue;
        const std::string original = *named;
        const bool there = fs::exists(original, ignored);
        if (there && original != name && is_unchanged(copies, field, settings, folder)) continue;
        const fs::path copy = inputs / name;
        settings.set(field, copy.string());
        settings.show_as(field, path);
        notices.push_back(fmt::format("{}: {} {}. Using the run's copy, {}", field, original,
                                      there ? "has changed since the run began" : "is gone", copy.string()));
    }
    return notices;
}

void refuse_links_out(const fs::path& folder) { check_entries(folder, folder, false); }

namespace {

constexpr size_t kLargestProvenance = size_t{1} << 20;
constexpr std::string_view kHead =
    "# How these files were made. This file and the training time differ between machines; all other files have the "
    "same bytes everywhere.\n";

// The command without the places of this machine: "/home/ada/bin/emergence-cli run td --out /home/ada/r" is
// "emergence-cli run td --out r".
std::string without_places(const std::string& command) {
    constexpr std::string_view kSeparators = " '\"=,:";
    std::string text;
    for (size_t from = 0; from < command.size();) {
        const size_t end = std::min(command.find_first_of(kSeparators, from), command.size());
        text += without_place(command.substr(from, end - from));
        if (end < command.size()) text += command[end];
        from = end + 1;
    }
    return text;
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
    if (!session.stage.empty()) text += fmt::format("stage = {}\n", toml_value(ViewValue(session.stage)));
    if (session.to_step) text += fmt::format("to_step = {}\n", *session.to_step);
    if (session.seconds) text += fmt::format("seconds = {:.1f}\n", *session.seconds);
    if (session.cpu_seconds) text += fmt::format("cpu_seconds = {:.1f}\n", *session.cpu_seconds);
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
        // A damaged file tells nothing.
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
        // Too large or unreadable, so this session starts a new one.
    }
}

void Provenance::write(const ProvenanceSession& session) const {
    write_file(file_, std::string_view(before_ + "\n" + session_to_toml(session)));
}

}  // namespace emergence
