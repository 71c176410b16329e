#include "app/cli/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "core/files/bytes.h"

namespace emergence::cli {
namespace {

// By which a page of ours is known again.
constexpr const char* kPageStart =
    "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Emergence: what the papers claim, "
    "measured</title>";
constexpr const char* kStyle = R"(
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 76rem; margin: 2rem auto; padding: 0 1.5rem; }
h1 { margin-bottom: 0; } h2 { margin-top: 3rem; border-bottom: 2px solid; } h3 { margin: 2rem 0 .5rem; }
img { width: 100%; background: white; border: 1px solid #8886; border-radius: 4px; }
table { border-collapse: collapse; width: 100%; margin: .7rem 0 1.5rem; font-size: .92rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .7rem; border-top: 1px solid #8886; }
td.number { white-space: nowrap; } .small { opacity: .75; font-size: .88rem; }
.agrees { color: #15803d; font-weight: 600; } .known { color: #b45309; font-weight: 600; }
.fails { color: #dc2626; font-weight: 700; } .undecided { color: #2563eb; font-weight: 600; }
@media (prefers-color-scheme: dark) { .agrees { color: #4ade80; } .known { color: #fbbf24; } .fails { color: #f87171; }
  .undecided { color: #60a5fa; } }
)";

const char* style_of(Verdict verdict) {
    constexpr const char* kStyles[] = {"agrees", "undecided", "known", "fails"};
    return kStyles[static_cast<size_t>(verdict)];
}
// Of a count: zero failures do not stand out.
const char* style_of(Verdict verdict, int count) {
    return verdict == Verdict::fails && count == 0 ? "small" : style_of(verdict);
}

std::string time_text(double seconds) {
    if (seconds < 90) return fmt::format("{:.3g} s", seconds);
    return fmt::format("{:.3g} min", seconds / 60);
}

std::string row_of(const ReportedClaim& one) {
    const Verdict verdict = verdict_of(one.claim, one.measurement);
    std::string row = fmt::format(
        "<tr><td>{}<br><span class=\"small\">{} \u00b7 {}</span></td><td>{}<br><span "
        "class=\"small\">{}</span></td><td class=\"number\">{}</td><td class=\"number\">{}</td><td "
        "class=\"{}\">{}</td></tr>\n",
        markup_text(one.claim.statement), markup_text(one.claim.name), markup_text(source_text(one.claim)),
        markup_text(one.claim.quantity), markup_text(one.measurement.detail),
        std::isfinite(one.measurement.value) ? measured_text(one.measurement) : "not measured",
        markup_text(range_text(one.claim.agrees)), style_of(verdict), verdict_text(verdict));
    if (verdict == Verdict::known_difference)
        row += fmt::format("<tr><td colspan=\"5\" class=\"small\">{}</td></tr>\n",
                           markup_text(one.claim.known_difference));
    return row;
}

std::string table_of(const std::vector<ReportedClaim>& claims) {
    if (claims.empty()) return "";
    std::string table =
        "<table><tr><th>what is claimed</th><th>what is "
        "measured</th><th>measured</th><th>allowed</th><th></th></tr>\n";
    for (const ReportedClaim& one : claims) table += row_of(one);
    return table + "</table>\n";
}

std::string section_of(const ReportedFigure& figure) {
    std::string section = fmt::format("<h3 id=\"{0}\">{1} <span class=\"small\">({0})</span></h3>\n",
                                      markup_text(figure.name), markup_text(figure.title));
    if (!figure.png.empty())
        section += fmt::format("<img alt=\"{}\" src=\"data:image/png;base64,{}\">\n", markup_text(figure.title),
                               base64(figure.png));
    if (!figure.problem.empty()) section += fmt::format("<p class=\"fails\">{}</p>\n", markup_text(figure.problem));
    section += table_of(figure.claims);
    return section + fmt::format("<p class=\"small\">{} of time, {} of CPU. Again: emergence-cli figure {}</p>\n",
                                 time_text(figure.seconds), time_text(figure.cpu_seconds), markup_text(figure.name));
}

void count(const std::vector<ReportedClaim>& claims, ClaimCounts& counts) {
    for (const ReportedClaim& one : claims) counts.add(one.claim, verdict_of(one.claim, one.measurement));
}

ClaimCounts count_verdicts(const ReportedPaper& paper) {
    ClaimCounts counts;
    count(paper.theorems, counts);
    for (const ReportedFigure& figure : paper.figures) {
        count(figure.claims, counts);
        if (figure.png.empty()) ++counts.papers[Verdict::fails];
    }
    return counts;
}

std::string verdicts_as_html(const Verdicts& verdicts) {
    return listed(kVerdicts, [&](Verdict verdict) {
        return fmt::format("<span class=\"{}\">{}</span>", style_of(verdict, verdicts[verdict]),
                           count_text(verdict, verdicts[verdict]));
    });
}

// A line a paper: how its claims fared, and how long it took.
std::string overview_of(const Report& report) {
    std::string table =
        "<table><tr><th>paper</th><th>figures</th><th>agree</th><th>undecided</th><th>differ, as known</th><th>fail</th>"
        "<th>time</th></tr>\n";
    for (const ReportedPaper& paper : report.papers) {
        const Verdicts verdicts = count_verdicts(paper).measured();
        table += fmt::format("<tr><td><a href=\"#{}\">{}</a></td><td>{}</td>", markup_text(paper.name),
                             markup_text(paper.citation), paper.figures.size());
        for (const Verdict one : kVerdicts)
            table += fmt::format("<td class=\"{}\">{}</td>", style_of(one, verdicts[one]), verdicts[one]);
        table += fmt::format("<td class=\"number\">{}</td></tr>\n", time_text(paper.seconds));
    }
    return table + "</table>\n";
}

constexpr const char* kRules =
    "<p class=\"small\">A claim agrees if its whole 95 % interval lies in what is allowed, without an interval if the "
    "number does; it is undecided if a part of the interval does: more seeds would decide. A statement about all seeds "
    "agrees if no seed contradicts it. What differs as known says why. Claims of ours are predictions made before a run, "
    "findings whose range was set after one, and controls that must break what they stand beside.</p>\n";

}  // namespace

ClaimCounts count_verdicts(const Report& report) {
    ClaimCounts all;
    for (const ReportedPaper& paper : report.papers) all += count_verdicts(paper);
    return all;
}

bool is_report(std::string_view page) { return page.starts_with(kPageStart); }

std::string html_of(const Report& report) {
    const ClaimCounts counts = count_verdicts(report);
    std::string page = kPageStart;
    page += fmt::format(
        "<style>{}</style></head><body>\n<h1>What the papers claim, measured</h1>\n<p "
        "class=\"small\">Emergence {}, {}, {}</p>\n<p>",
        kStyle, markup_text(report.version), markup_text(report.date), markup_text(report.machine));
    page += verdicts_as_html(counts.measured()) + ".</p>\n";
    page += fmt::format(
        "<p class=\"small\">{} of the papers: {}. {} of ours: {}. {} more are algebra, or "
        "repeat others: {}.</p>\n",
        counts.papers.all(), verdicts_as_html(counts.papers), counts.ours.all(), verdicts_as_html(counts.ours),
        counts.apart.all(), verdicts_as_html(counts.apart));
    page += kRules;
    page += overview_of(report);
    for (const ReportedPaper& paper : report.papers) {
        page += fmt::format("<h2 id=\"{}\">{}</h2>\n", markup_text(paper.name), markup_text(paper.citation));
        for (const ReportedFigure& figure : paper.figures) page += section_of(figure);
        if (!paper.theorems.empty())
            page += "<h3>Theorems, identities and their controls</h3>\n" + table_of(paper.theorems);
    }
    return page + "</body></html>\n";
}

}  // namespace emergence::cli
