#pragma once
// The chapters of the handbook, assets/handbook/NAME.md, then those of the lab book, assets/handbook/lab/NAME.md, each in
// the order in which they are read.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "app/handbook/document.h"

namespace emergence::handbook {

const std::vector<std::string>& chapter_names();
bool in_lab_book(const std::string& name);

/// Where the chapters and the folder of their pictures lie.
std::filesystem::path handbook_folder(const std::filesystem::path& assets);
std::filesystem::path chapter_path(const std::filesystem::path& assets, const std::string& name);

/// A chapter's file as it stands. Throws InputError, listing the names, if there is no such chapter, and if
/// its file cannot be read.
std::string read_chapter_text(const std::filesystem::path& assets, const std::string& name);
/// The same, read.
Document read_chapter(const std::filesystem::path& assets, const std::string& name);
/// All of them, in order. Throws InputError.
std::vector<Document> read_chapters(const std::filesystem::path& assets);

// Search in the handbook.

struct Hit {
    std::string chapter;  // "window"
    size_t block = 0;     // of the chapter's blocks
    size_t row = 0;       // of a table, where the words stand
    std::string section;  // the heading under which it stands: "Time"
    std::string anchor;   // the heading's: "time"
    std::string excerpt;  // about 100 characters around the first word found; below a heading, what follows it
    int score = 0;
};

/// The blocks in which all words stand, capitals or not, as parts of words too; a word may also stand in the
/// heading above. Best first: headings before text, whole words before parts, the phrase as typed before
/// words apart. None without words.
std::vector<Hit> find(const std::vector<Document>& chapters, std::string_view words);

}  // namespace emergence::handbook
