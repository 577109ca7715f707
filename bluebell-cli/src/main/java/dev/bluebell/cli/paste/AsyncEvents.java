package dev.bluebell.cli.paste;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Lines about asynchronous events: by name, by number, and by the texts of their libraries. */
final class AsyncEvents {
  private static final String EVENTS = "docs/card-failures.md#asynchronous-events";
  private static final String PATHS = "docs/card-failures.md#peers-that-do-not-answer";
  private static final String FIRST_FAILURE =
      "Look for the first completion with an error, on both ends.";
  private static final String NOTHING = "";

  /** Events by number, see {@code verbs.h: ibv_event_type}. */
  private static final List<Event> ALL =
      List.of(
          new Event(
              "CQ_ERR",
              "CQ error",
              "CQ error",
              "A completion queue of this end failed, usually because it overran: completions are"
                  + " lost, and its queue pairs stop.",
              "Make the completion queue larger than all requests that may be outstanding, or poll"
                  + " faster.",
              "docs/failures/cq-overrun.md"),
          new Event(
              "QP_FATAL",
              "local work queue catastrophic error",
              "QP fatal error",
              "A queue pair of this end failed, and the device cannot report it by a completion.",
              "Look for kernel messages of the same time, and check the doorbell record and the"
                  + " WQEs of this queue pair.",
              "docs/failures/record-too-far.md"),
          new Event(
              "QP_REQ_ERR",
              "invalid request local work queue error",
              "QP request error",
              "Usually this end is the responder, and refused a request of the peer as invalid.",
              "Look at the peer's completion (usually REM_INV_REQ_ERR), which names the request;"
                  + " compare it with the access flags of the queue pair here.",
              "docs/failures/queue-pair-right.md"),
          new Event(
              "QP_ACCESS_ERR",
              "local access violation work queue error",
              "QP access error",
              "Usually this end is the responder, and refused a peer's access to its memory.",
              "Look at the peer's completion (REM_ACCESS_ERR or REM_INV_REQ_ERR), and compare its"
                  + " rkey, address and length with the region here. With GPU memory, this card may"
                  + " be unable to reach it.",
              "docs/failures/wrong-rkey.md"),
          new Event(
              "COMM_EST",
              "communication established",
              "communication established",
              "The first message arrived before the application moved its queue pair to RTS. This"
                  + " is no error.",
              NOTHING,
              EVENTS),
          new Event(
              "SQ_DRAINED",
              "send queue drained",
              "send queue drained",
              "A queue pair that was moved to SQD has no request under way any more. This is no"
                  + " error.",
              NOTHING,
              EVENTS),
          new Event(
              "PATH_MIG",
              "path migrated",
              "path migration successful",
              "A connection went over to its alternate path.",
              "If the application did not request this, the first path failed: look for port"
                  + " events.",
              PATHS),
          new Event(
              "PATH_MIG_ERR",
              "path migration request error",
              "path migration error",
              "A connection could not go over to its alternate path.",
              "Check the alternate path of both ends.",
              PATHS),
          new Event(
              "DEVICE_FATAL",
              "local catastrophic error",
              "device fatal error",
              "The card of this machine failed, or was reset or removed: all its objects are lost.",
              "Look for health and PCIe messages in dmesg. The process must close the device and"
                  + " open it again.",
              CardNotices.CARD),
          new Event(
              "PORT_ACTIVE",
              "port active",
              "port active",
              "A port came up. If it was not started just now, its link was down before.",
              "Look for a port error before it.",
              PATHS),
          new Event(
              "PORT_ERR",
              "port error",
              "port error",
              "The link of a port of this machine went down. Requests under way fail with"
                  + " RETRY_EXC_ERR if it does not come up again in time.",
              "Check cable, transceiver and switch port; dmesg and the counter link_downed show how"
                  + " often it happens.",
              PATHS),
          new Event(
              "LID_CHANGE",
              "LID change",
              "LID change",
              "The subnet manager gave the port another LID: peers that use the old one get no"
                  + " answer.",
              "Connect again. Look at the log of the subnet manager.",
              PATHS),
          new Event(
              "PKEY_CHANGE",
              "P_Key change",
              "P_key change",
              "The subnet manager changed the partitions of the port.",
              "Check that both ends are still members of the partition.",
              PATHS),
          new Event(
              "SM_CHANGE",
              "SM change",
              "SM change",
              "Another subnet manager took over. This alone is no error.",
              NOTHING,
              EVENTS),
          new Event(
              "SRQ_ERR",
              "SRQ catastrophic error",
              "SRQ error",
              "A shared receive queue of this end failed: it delivers no receives any more.",
              "Check the WQEs and the doorbell record of the queue, and create it again.",
              "docs/failures/record-too-far.md"),
          new Event(
              "SRQ_LIMIT_REACHED",
              "SRQ limit reached",
              "SRQ limit reached",
              "A shared receive queue has fewer receives than its limit. This is no error.",
              "Post receives and arm the limit again.",
              EVENTS),
          new Event(
              "QP_LAST_WQE_REACHED",
              "last WQE reached",
              "last WQE reached",
              "A queue pair with a shared receive queue is in the error state and takes no more"
                  + " receives. This is a consequence.",
              FIRST_FAILURE,
              "docs/failures/flushed.md"),
          new Event(
              "CLIENT_REREGISTER",
              "client reregistration",
              "client reregister",
              "The subnet manager asks clients to register again. This alone is no error.",
              NOTHING,
              EVENTS),
          new Event(
              "GID_CHANGE",
              "GID table change",
              "GID changed",
              "The GIDs of a port changed, for instance because an IP address came or went."
                  + " Connections that use a removed GID get no answer.",
              "Compare the GID index of the connection with the GIDs that the port has now.",
              PATHS),
          new Event(
              "WQ_FATAL",
              "WQ fatal",
              "WQ fatal",
              "A receive queue of raw packets failed.",
              "Look for kernel messages of the same time.",
              EVENTS));

  private static final String FORM = "a log of asynchronous events";

  private static final Pattern NAME = Pattern.compile("\\bIBV?_EVENT_([A-Z_]{5,25})\\b");

  /** UCX has a text of its own for {@code QP_LAST_WQE_REACHED}. */
  private static final Pattern FLUSHED_QUEUE =
      Pattern.compile("\\bAsync event\\b.{0,60}?\\bSRQ-attached QP 0x[0-9a-f]{1,6} was flushed");

  /** The DAPL library prints numbers. */
  private static final Pattern NUMBER =
      Pattern.compile("\\basync_event [A-Z]{2,3} \\(0x[0-9a-f]{1,16}\\) Event (\\d{1,2})\\b");

  private static final Pattern TEXT = text();

  private static final Pattern DCT =
      Pattern.compile("\\bAsync event\\b.{0,60}?\\bDCT (access error|key violation|request error)");

  private AsyncEvents() {}

  /**
   * A kind of event.
   *
   * @param name in {@code verbs.h}, without its prefix
   * @param text that {@code ibv_event_type_str} returns
   * @param kernelText that {@code ib_event_msg} of Linux returns
   */
  private record Event(
      String name, String text, String kernelText, String what, String next, String page) {
    boolean isCalled(String word) {
      return word.equals(name) || word.equalsIgnoreCase(text) || word.equalsIgnoreCase(kernelText);
    }

    Notice notice(int line) {
      return new Notice(line, FORM, "IBV_EVENT_%s: %s".formatted(name, what), next, page);
    }
  }

  /** Some texts are common words, so they count only behind words that announce an event. */
  private static Pattern text() {
    String texts =
        ALL.stream()
            .flatMap(event -> Stream.of(event.text, event.kernelText))
            .distinct()
            .map(Pattern::quote)
            .collect(Collectors.joining("|", "(", ")(?!\\w)"));
    return Pattern.compile(
        "(?i)\\b(?:async(?:hronous)?[ _](?:fatal )?event\\b.{0,100}?[:( ]|(?:QP|SRQ|CQ|port|device)"
            + " event:? )"
            + texts);
  }

  /** The event that a line names. */
  static Optional<Notice> in(int line, String text) {
    if (!text.contains("vent") && !text.contains("EVENT")) {
      return Optional.empty();
    }
    Matcher number = NUMBER.matcher(text);
    if (number.find()) {
      int event = Integer.parseInt(number.group(1));
      return event < ALL.size() ? Optional.of(ALL.get(event).notice(line)) : Optional.empty();
    }
    if (FLUSHED_QUEUE.matcher(text).find()) {
      return named("QP_LAST_WQE_REACHED").map(event -> event.notice(line));
    }
    Matcher dct = DCT.matcher(text);
    if (dct.find()) {
      return Optional.of(
          new Notice(
              line,
              FORM,
              "DCT %s: This end is the responder: its DC target refused a request of a peer."
                  .formatted(dct.group(1)),
              "Look at the peer's completion (REM_ACCESS_ERR or REM_INV_REQ_ERR), which names the"
                  + " request.",
              "docs/failures/wrong-rkey.md"));
    }
    return Stream.of(NAME, TEXT)
        .map(pattern -> pattern.matcher(text))
        .filter(Matcher::find)
        .flatMap(matcher -> named(matcher.group(1)).stream())
        .findFirst()
        .map(event -> event.notice(line));
  }

  private static Optional<Event> named(String word) {
    return ALL.stream().filter(event -> event.isCalled(word)).findFirst();
  }
}
