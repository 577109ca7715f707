package dev.bluebell.cli.demo;

import dev.bluebell.cli.output.Wrap;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.cqe.VendorError;
import dev.bluebell.report.guide.Cause;
import dev.bluebell.report.guide.Guide;
import dev.bluebell.verbs.CompletionStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The pages of docs/failures: the output of the mishaps, around hand-written prose. */
final class FailurePages {
  private static final String FOLDER = "failures";
  private static final int WIDTH = 100;
  private static final Pattern ADDRESS = Pattern.compile("0x[0-9a-f]{9,16}");
  private static final Pattern PSN = Pattern.compile("PSN 0x[0-9a-f]{6}");
  private static final Pattern INITIAL_PSN = Pattern.compile("(psn|PSN)( is)? \\d+");
  private static final Pattern MICROSECONDS = Pattern.compile("\\d[\\d,]* µs");

  /** Signs other than statuses, with the first sentence of their section. */
  private static final Map<String, String> OTHER_SIGNS = otherSigns();

  /** Mistakes of applications of libibverbs that no page of its own shows. */
  private static final List<String> SILENCE_OF_VERBS =
      List.of(
          "A message finds no receive, because none was posted or those that completed were not"
              + " posted again, and the sender's `rnr_retry` is 7: it [retries without"
              + " limit](missing-receive.md).",
          "The ACK timeout (`timeout` of `ibv_qp_attr`) is 0, and the peer does not answer:"
              + " [nothing is sent again](../pitfalls.md#peers-and-messages).",
          "The application waits for a completion of a request that it did not signal: it has [no"
              + " completion](unsignalled.md) if it succeeds.",
          "`ibv_post_send` returned ENOMEM and the application did not look: the queue pair is not"
              + " in RTS, or the send queue is full, so [the request was never"
              + " posted](../compatibility/library-refusals.md#ibv_post_send-returns-enomem).",
          "The application waits for an event of a completion queue that was not armed"
              + " (`ibv_req_notify_cq`), or not armed again after the last event: each arming gives"
              + " [one event](../machine-model/doorbells.md#m23).",
          "The completion queue is armed for solicited completions only (`solicited_only`), and the"
              + " sender does not set `IBV_SEND_SOLICITED`: [the completion is there, without an"
              + " event](../machine-model/doorbells.md#m23).");

  private FailurePages() {}

  private static Map<String, String> otherSigns() {
    Map<String, String> signs = new LinkedHashMap<>();
    signs.put(
        Finding.SILENCE,
        "A request or a receive never completes, and no completion at that end reports an error.");
    signs.put(Finding.PHANTOM, "The poller takes an entry that is not a new completion.");
    signs.put(
        Finding.WRONG_DATA,
        "All completions report success, but the data is wrong, or a request should have been"
            + " refused.");
    signs.put(
        Finding.EVENT,
        "These pages show an asynchronous event. (Every refused access that uses no receive raises"
            + " one at the responder.)");
    signs.put(Finding.REFUSAL, "The driver throws an exception.");
    return signs;
  }

  /** The text of all pages, by file name. */
  static Map<String, String> all() throws IOException, InterruptedException {
    Map<String, String> pages = new TreeMap<>();
    Map<String, List<Mishap>> bySign = new LinkedHashMap<>();
    for (Mishap mishap : Mishaps.all()) {
      MishapResult result = mishap.run();
      if (result.complaint() != null) {
        throw new IllegalStateException(mishap.page() + ": " + result.complaint());
      }
      pages.put(mishap.page() + ".md", page(result));
      result.findings().stream()
          .map(Finding::sign)
          .distinct()
          .forEach(sign -> bySign.computeIfAbsent(sign, key -> new ArrayList<>()).add(mishap));
    }
    pages.put("README.md", index(bySign));
    return pages;
  }

  /** Replaces parts that differ from run to run. */
  static String stable(String text) {
    String result = ADDRESS.matcher(text).replaceAll("0x…");
    result = PSN.matcher(result).replaceAll("PSN …");
    result = INITIAL_PSN.matcher(result).replaceAll("$1$2 …");
    return MICROSECONDS.matcher(result).replaceAll("… µs");
  }

  private static String page(MishapResult result) throws IOException {
    Mishap mishap = result.mishap();
    List<String> lines = new ArrayList<>();
    lines.add("# " + sentenceCase(mishap.title()));
    lines.add("");
    add(lines, "Try it: `./bluebell demo --failures --only %s`".formatted(mishap.page()));
    lines.add("## Symptom");
    lines.add("");
    symptoms(lines, result);
    addProse(lines, FOLDER, mishap.page(), "How to see it");
    evidence(lines, result);
    addProse(lines, FOLDER, mishap.page(), "Cause");
    addProse(lines, FOLDER, mishap.page(), "Cure");
    addProse(lines, FOLDER, mishap.page(), "How this is known");
    for (Finding finding : result.findings()) {
      syndrome(finding.sign())
          .flatMap(Guide::of)
          .map(guide -> "[%s](README.md#%s)".formatted(guide.syndromeName(), guide.anchor()))
          .filter(link -> lines.stream().noneMatch(line -> line.contains(link)))
          .ifPresent(link -> lines.add("Other causes of " + link + "."));
    }
    lines.add("[All failures](README.md)");
    return String.join("\n", lines) + "\n";
  }

  /** Adds the findings of all sides. */
  static void symptoms(List<String> lines, MishapResult result) {
    for (Finding finding : result.findings()) {
      String symptom = "%s: %s".formatted(finding.who(), stable(finding.what()));
      lines.addAll(("*" + Wrap.wrap(symptom, "  ", WIDTH).substring(1)).lines().toList());
    }
    lines.add("");
  }

  /** Adds the mistake, and the explanations. */
  static void evidence(List<String> lines, MishapResult result) {
    if (!result.wrong().isEmpty()) {
      lines.add(result.wrong().getFirst().startsWith("wqe {") ? "The request:" : "The mistake:");
      lines.add("");
      lines.add("```");
      result.wrong().forEach(wrong -> lines.add(stable(wrong)));
      lines.add("```");
      lines.add("");
    }
    lines.add("What Bluebell reports:");
    lines.add("");
    for (Finding finding : result.findings()) {
      for (String why : finding.explanations()) {
        lines.addAll(Wrap.wrap(stable(why), "> ", WIDTH).lines().toList());
        lines.add("");
      }
    }
  }

  private static String index(Map<String, List<Mishap>> bySign) {
    List<String> lines = new ArrayList<>();
    lines.add("# Failures by symptom");
    lines.add("");
    add(
        lines,
        "Each page below shows one typical mistake with RDMA on ConnectX hardware: the symptom, the"
            + " bytes, the cause and the cure. `./bluebell demo --failures` makes all these"
            + " mistakes on the software ConnectX. `./bluebell decode` reads dumps and error lines"
            + " from logs, and names the matching section of this page."
            + " [pitfalls.md](../pitfalls.md) lists more mistakes, by area.");
    lines.add("## Statuses of failed completions");
    lines.add("");
    for (Guide guide : Guide.values()) {
      lines.add("### " + guide.syndromeName());
      lines.add("");
      add(
          lines,
          "0x%02x; in Java `CompletionStatus.%s`. %s"
              .formatted(
                  guide.syndrome(),
                  CompletionStatus.ofSyndrome(guide.syndrome()),
                  guide.meaning()));
      lines.add("Likeliest causes:");
      lines.add("");
      for (Cause cause : guide.causesOnACard()) {
        lines.add("1. [%s](%s)".formatted(cause.what(), cause.link()));
      }
      lines.add("");
      add(lines, "What to check next: " + guide.next());
      addPages(
          lines,
          "More: ",
          bySign.getOrDefault(guide.syndromeName(), List.of()).stream()
              .filter(mishap -> !isCause(guide, mishap))
              .toList());
    }
    lines.add("## Errors of libibverbs");
    lines.add("");
    add(
        lines,
        "Errors such as ENOMEM of ibv_post_send and EINVAL of ibv_create_qp come from libmlx5"
            + " itself: no completion, trace or explanation shows them. [Calls that"
            + " fail](../compatibility/library-refusals.md) lists their causes. The commonest is"
            + " [a send queue filled without any signalled request](unsignalled.md), or a send"
            + " queue whose completions are not polled.");
    lines.add("## Vendor codes");
    lines.add("");
    add(
        lines,
        "No public document lists vendor codes. The codes below were seen in logs that people"
            + " published; nothing is known about others.");
    lines.add("| status | vendor code | seen |");
    lines.add("|---|---|---|");
    for (int syndrome = 0; syndrome < 256; syndrome++) {
      for (int code = 0; code < 256; code++) {
        if (VendorError.isKnown(syndrome, code)) {
          lines.add(
              "| %s | 0x%02x | %s |"
                  .formatted(
                      Syndrome.name(syndrome),
                      code,
                      VendorError.explain(syndrome, code)
                          .replaceFirst("^vendor code 0x\\w+: seen ", "")));
        }
      }
    }
    lines.add("");
    OTHER_SIGNS.forEach(
        (sign, meaning) -> {
          lines.add("## " + sentenceCase(sign));
          lines.add("");
          add(lines, meaning);
          bySign
              .getOrDefault(sign, List.of())
              .forEach(
                  mishap ->
                      lines.add(
                          "* [%s](%s.md)%s"
                              .formatted(mishap.title(), mishap.page(), remark(sign, mishap))));
          lines.add("");
          if (sign.equals(Finding.SILENCE)) {
            addSilenceOfVerbs(lines);
          }
        });
    lines.add("## About these pages");
    lines.add("");
    add(
        lines,
        "`FailurePagesTest` generates the symptoms, the bytes and the reports of these pages, and"
            + " fails if they differ from what happens; CONTRIBUTING.md says how to regenerate"
            + " them.");
    lines.removeLast();
    return String.join("\n", lines) + "\n";
  }

  private static String remark(String sign, Mishap mishap) {
    return sign.equals(Finding.SILENCE) && mishap.page().equals("short-doorbell")
        ? " (this device accepts it; a card probably does not)"
        : "";
  }

  private static void addSilenceOfVerbs(List<String> lines) {
    add(
        lines,
        "In applications of libibverbs, these mistakes have the same symptom. While the application"
            + " waits, [`./bluebell stat"
            + " --queues`](../c-programs.md#failures-without-an-explanation) shows most of them:");
    for (String mistake : SILENCE_OF_VERBS) {
      lines.addAll(("*" + Wrap.wrap(mistake, "  ", WIDTH).substring(1)).lines().toList());
    }
    lines.add("");
  }

  private static boolean isCause(Guide guide, Mishap mishap) {
    return guide.causesOnACard().stream()
        .anyMatch(cause -> cause.link().equals(mishap.page() + ".md"));
  }

  private static void addPages(List<String> lines, String before, List<Mishap> mishaps) {
    if (!mishaps.isEmpty()) {
      String links =
          String.join(
              ", ",
              mishaps.stream()
                  .map(mishap -> "[%s](%s.md)".formatted(mishap.title(), mishap.page()))
                  .toList());
      add(lines, before + links + ".");
    }
  }

  private static Optional<Integer> syndrome(String sign) {
    for (int syndrome = 1; syndrome < 256; syndrome++) {
      if (Syndrome.name(syndrome).equals(sign)) {
        return Optional.of(syndrome);
      }
    }
    return Optional.empty();
  }

  /** Adds a section whose prose is kept from the page. */
  static void addProse(List<String> lines, String folder, String page, String heading)
      throws IOException {
    lines.add("## " + heading);
    lines.add("");
    add(lines, PageFolder.prose(folder, page + ".md", heading));
  }

  static void add(List<String> lines, String text) {
    lines.addAll(Wrap.wrap(text, "", WIDTH).lines().toList());
    lines.add("");
  }

  static String sentenceCase(String text) {
    return Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }
}
