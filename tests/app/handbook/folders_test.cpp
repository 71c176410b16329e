// Each folder of the source says in a README of at most 40 lines what it is for. A folder of tests that
// mirrors one of the source (tests/core/files: core/files) is described there.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "tests/support/places.h"
#include "tests/support/scratch.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLines = 40;

// Folders below `root` that hold sources or scripts themselves, or folders that do; sorted.
std::set<std::string> source_folders(const fs::path& root) {
    std::set<std::string> folders;
    for (const char* top : {"app", "core", "tests"}) {
        if (!fs::exists(root / top)) continue;
        for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
            const std::string kind = entry.path().extension().string();
            if (kind != ".cpp" && kind != ".h" && kind != ".sh") continue;
            for (fs::path folder = entry.path().parent_path(); folder != root; folder = folder.parent_path())
                folders.insert(fs::relative(folder, root).generic_string());
        }
    }
    return folders;
}

std::set<std::string> folder_faults(const fs::path& root) {
    std::set<std::string> faults;
    const std::set<std::string> folders = source_folders(root);
    for (const std::string& folder : folders) {
        const bool mirrors = folder.starts_with("tests/") && folders.contains(folder.substr(6));
        const bool deep = std::count(folder.begin(), folder.end(), '/') > 1;
        if (mirrors && deep) continue;
        const std::string text = testing::slurp(root / folder / "README.md");
        if (text.empty())
            faults.insert(folder + "/README.md is missing");
        else if (std::count(text.begin(), text.end(), '\n') > kMostLines)
            faults.insert(folder + "/README.md has more than 40 lines");
    }
    return faults;
}

}  // namespace

TEST_CASE("every source folder has a README of at most 40 lines") {
    for (const std::string& fault : folder_faults(testing::source_dir())) FAIL_CHECK(fault);
}

}  // namespace emergence
