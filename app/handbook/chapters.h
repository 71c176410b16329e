#pragma once
// Reads the chapters of the handbook, assets/handbook/NAME.md, and those of the lab book, assets/handbook/lab/NAME.md.
// Both are listed in the order in which they are read.

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

/// Returns the chapter as a page. Throws InputError, listing the names, if there is no such chapter, and if its file
/// cannot be read.
Document read_chapter(const std::filesystem::path& assets, const std::string& name);
/// Returns all chapters, in order. Throws InputError.
std::vector<Document> read_chapters(const std::filesystem::path& assets);

// Search in the handbook.

struct Hit {
    std::string chapter;  // "window"
    size_t block = 0;     // index among the chapter's blocks
    size_t row = 0;       // the row of a table that has the words
    std::string section;  // the heading above it, as "Time"
    std::string anchor;   // the heading's anchor, as "time"
    std::string excerpt;  // about 100 characters around the first word found, or what follows if the hit is a heading
    int score = 0;
};

/// Returns the blocks in which all words stand, also as parts of words; capitals do not matter. A word may also stand
/// in the heading above. The best come first: headings before text, whole words before parts, the phrase as typed
/// before separate words. Without words there are no hits.
std::vector<Hit> find(const std::vector<Document>& chapters, std::string_view words);

}  // namespace emergence::handbook
