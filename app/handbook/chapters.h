#pragma once
// The chapters, assets/handbook/NAME.md, in the order in which they are read.

#include <filesystem>
#include <string>
#include <vector>

#include "app/handbook/document.h"

namespace emergence::handbook {

const std::vector<std::string>& chapter_names();

/// Where the chapters and the folder of their pictures lie.
std::filesystem::path handbook_folder(const std::filesystem::path& assets);

/// A chapter's file as it stands. Throws InputError, listing the names, if there is no such chapter, and if
/// its file cannot be read.
std::string read_chapter_text(const std::filesystem::path& assets, const std::string& name);
/// The same, read.
Document read_chapter(const std::filesystem::path& assets, const std::string& name);
/// All of them, in order. Throws InputError.
std::vector<Document> read_chapters(const std::filesystem::path& assets);

}  // namespace emergence::handbook
