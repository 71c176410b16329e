#include "core/lab/weights_file.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/files/array_files.h"
#include "core/files/atomic_write.h"
#include "core/files/zip.h"
#include "core/settings/embedded_settings.h"

namespace emergence {

ArrayMap weights_file(const Snapshot& snapshot) {
    ArrayMap arrays = snapshot.weights;
    if (!arrays.empty())
        for (const NamedMatrix& matrix : snapshot.matrices)
            if (!matrix.signs.empty()) arrays["sign_" + matrix.name] = {{matrix.signs.size()}, matrix.signs};
    arrays[kSettingsKey] =
        settings_array(settings_to_toml(snapshot.experiment, snapshot.settings, {"", snapshot.step}));
    return arrays;
}

bool holds_bare_weights(const std::filesystem::path& path) {
    constexpr size_t kLargest = size_t{1} << 26;
    try {
        const std::vector<std::byte> bytes = read_file(path, kLargest);
        if (is_foreign_array_file(bytes)) {
            const ArrayMap arrays = parse_arrays(bytes, path.string());
            return arrays.contains("P") && arrays.contains("Q");
        }
        if (!as_text(bytes).starts_with("PK")) return false;
        const std::vector<ZipEntry> entries = read_zip(bytes, path.string());
        const auto has = [&entries](const std::string& name) {
            return std::any_of(entries.begin(), entries.end(),
                               [&name](const ZipEntry& entry) { return entry.name == name + ".npy"; });
        };
        return has("P") && has("Q") && !has(kSettingsKey);
    } catch (const InputError&) {
        return false;
    }
}

}  // namespace emergence
