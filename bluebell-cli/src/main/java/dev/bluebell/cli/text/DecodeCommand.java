package dev.bluebell.cli.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bluebell.cli.command.CliCommand;
import dev.bluebell.cli.command.WorkFailed;
import dev.bluebell.cli.output.JsonLines;
import dev.bluebell.cli.output.Wrap;
import dev.bluebell.cli.paste.CommandRefusal;
import dev.bluebell.cli.paste.Dump;
import dev.bluebell.cli.paste.FailedRequest;
import dev.bluebell.cli.paste.Notice;
import dev.bluebell.cli.paste.PasteReader;
import dev.bluebell.cli.paste.PasteReader.Paste;
import dev.bluebell.cli.paste.Piece;
import dev.bluebell.cli.paste.Report;
import dev.bluebell.cli.trace.TraceFormat;
import dev.bluebell.cli.wire.CaptureReport;
import dev.bluebell.cli.wire.PacketBytes;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.text.Counted;
import dev.bluebell.hca.text.Decoder;
import dev.bluebell.hca.text.Decoder.Kind;
import dev.bluebell.roce.packet.PacketView;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bluebell decode}: translates hexadecimal dumps to text. */
@Command(
    name = "decode",
    header = "WQEs, CQEs, commands and packets from dumps and captures to text.",
    description = {
      "Reads WQEs, CQEs, commands and RoCEv2 packets from hexadecimal, as people paste it: kernel"
          + " logs, libmlx5's error lines, xxd, hexdump, od, debuggers. Prints them as text, and"
          + " explains what failed: what the syndrome means, what is known of the vendor code, the"
          + " likeliest causes, and what to look at next. Also explains lines without bytes: failed"
          + " requests of UCX, NCCL, perftest and others, asynchronous events, failed calls, and"
          + " what Linux logs about the card.",
      "",
      "If neither the log nor an option says what the bytes are, the command guesses, and prints"
          + " its guess. Blank lines separate entries.",
      "",
      "Name files as arguments, or one with --file; '-' is standard input. A capture file (pcap or"
          + " pcapng) is recognized by its first bytes, also on standard input. For it, the command"
          + " prints a line for each packet with the result of its ICRC check, and then the"
          + " conversations of the queue pairs: PSNs, ACKs, NAKs, retransmissions, duplicates."
          + " --pcapng writes a copy in which packets have comments for Wireshark that say what the"
          + " fields do not show.",
      "",
      "Example: bluebell decode capture.pcap --pcapng commented.pcapng"
    })
public final class DecodeCommand extends CliCommand {
  private static final int WIDTH = 90;

  @Mixin private TextInput input = new TextInput();

  @ArgGroup(exclusive = true)
  private KindOption kind = new KindOption();

  @Option(names = "--json", description = "Print one JSON object for each entry.")
  private boolean json;

  @Option(
      names = "--pcapng",
      paramLabel = "FILE",
      description = "Write the packets of a capture file with comments, for Wireshark.")
  private @Nullable Path copy;

  private int shown;

  @Override
  public Integer call() throws IOException {
    if (input.isAmbiguous()) {
      throw wrongUsage("TEXT and --file exclude each other: leave one out");
    }
    List<Path> files = input.files();
    if (copy != null && files.size() > 1) {
      throw wrongUsage("--pcapng writes a copy of one capture file: name only one");
    }
    if (input.isStandardInput()) {
      decode(TextInput.STDIN, new BufferedInputStream(System.in));
    } else if (files.isEmpty()) {
      requireNoCopy();
      explainArguments();
    }
    for (Path file : files) {
      if (files.size() > 1) {
        head(file);
      }
      // Opened only once: a pipe does not return the same bytes again.
      try (InputStream in = TextInput.open(file)) {
        decode(file, in);
      }
    }
    return ExitCode.OK;
  }

  private void explainArguments() {
    try {
      explain(input.text());
    } catch (IllegalArgumentException e) {
      throw input.wrong(e);
    }
  }

  /** Says which one of several files follows. */
  private void head(Path file) {
    separate();
    shown = 0;
    if (json) {
      json().write(JsonLines.object().put("kind", "FILE").put("file", file.toString()));
    } else {
      out().println("# " + file);
    }
  }

  /** Decodes a file, or standard input. */
  private void decode(Path file, InputStream in) throws IOException {
    if (input.isCapture(file, in)) {
      requireOtherThan(file);
      new CaptureReport(out(), err(), json ? json() : null, this::isOutputLost)
          .print(file, in, Optional.ofNullable(copy));
      shown++;
    } else {
      requireNoCopy();
      explain(input.text(file, in));
    }
  }

  private void requireOtherThan(Path file) throws IOException {
    if (copy != null && Files.exists(copy) && Files.isSameFile(file, copy)) {
      throw wrongUsage(
          "%s can't be written while it is read: give --pcapng another name".formatted(file));
    }
  }

  private void requireNoCopy() {
    if (copy != null) {
      throw wrongUsage("--pcapng is for capture files: name a pcap or pcapng file");
    }
  }

  /** Prints what a pasted text contains. */
  private void explain(String text) {
    Optional<TraceFormat> trace = TraceFormat.ofContents(text);
    if (trace.isPresent()) {
      throw new WorkFailed(
          "nothing to decode: this is a trace of 'bluebell trace' or 'bluebell run --trace' %s: %s"
              .formatted(trace.get(), trace.get().opener()));
    }
    Paste paste = PasteReader.read(text);
    List<Entry> entries = new ArrayList<>();
    Set<Integer> told = new HashSet<>();
    for (Piece piece : paste.pieces()) {
      if (piece instanceof Dump dump) {
        entries.addAll(decode(dump));
      }
    }
    requireAnyKnown(paste, entries);
    entries.forEach(entry -> entry.finding().ifPresent(found -> told.add(found.syndrome())));
    entries.forEach(this::show);
    for (Piece piece : paste.pieces()) {
      switch (piece) {
        // A log reports most failures twice: in a line, and with the bytes of the completion.
        case Report report when told.add(report.syndrome()) -> show(report);
        case FailedRequest request -> show(request);
        case CommandRefusal refusal -> show(refusal);
        case Notice notice -> show(notice);
        case Dump _, Report _ -> {}
      }
    }
    if (!paste.leftOut().isEmpty() && !json) {
      comment(leftOut(paste));
    }
    out().flush();
  }

  /**
   * Lines of a log may look like bytes: they must not hide what else the log has.
   *
   * @throws IllegalArgumentException when the text has nothing but unknown dumps
   */
  private static void requireAnyKnown(Paste paste, List<Entry> entries) {
    boolean anyKnown =
        !paste.pieces().stream().allMatch(Dump.class::isInstance)
            || !entries.stream().allMatch(UnknownDump.class::isInstance);
    if (!anyKnown && !entries.isEmpty() && entries.getFirst() instanceof UnknownDump unknown) {
      throw new IllegalArgumentException(
          unknown.reason() + (paste.leftOut().isEmpty() ? "" : " (" + leftOut(paste) + ")"));
    }
  }

  private static String leftOut(Paste paste) {
    List<Integer> lines = paste.leftOut();
    return "left out, because not part of a dump: line%s %s%s"
        .formatted(
            lines.size() == 1 ? "" : "s",
            lines.stream().limit(10).map(String::valueOf).collect(Collectors.joining(", ")),
            lines.size() > 10 ? " and %d more".formatted(lines.size() - 10) : "");
  }

  private void separate() {
    if (shown++ > 0 && !json) {
      out().println();
    }
  }

  private void show(Entry entry) {
    separate();
    if (json) {
      json().write(entry.json());
      return;
    }
    out().print(entry.text());
    entry.remarks().forEach(this::comment);
    entry.finding().ifPresent(found -> found.lines().forEach(out()::println));
  }

  private void show(Report report) {
    separate();
    Finding finding = Finding.of(report);
    if (json) {
      ObjectNode object = Entry.head("REPORT", report.line(), "a line of " + report.form());
      object.set("failure", finding.json());
      json().write(object);
      return;
    }
    comment("line %d, from %s:".formatted(report.line(), report.form()));
    finding.lines().forEach(out()::println);
    if (report.mayBeOfAnotherCard()) {
      comment("The vendor code means something else on other cards than ConnectX-4 and later.");
    }
  }

  private void show(FailedRequest request) {
    separate();
    if (!json) {
      comment("line %d, from UCX: %s".formatted(request.line(), request.sentence()));
      return;
    }
    ObjectNode object =
        Entry.head("REQUEST", request.line(), "a line of UCX")
            .put("service", request.service())
            .put("qpn", request.qpn())
            .put("wqe", request.index())
            .put("opcode", request.opcode());
    request.flags().forEach(object.putArray("flags")::add);
    request.parts().forEach(object.putArray("parts")::add);
    json().write(object);
  }

  private void show(CommandRefusal refusal) {
    separate();
    String opcode = CommandOpcode.name(refusal.opcode());
    String status = CommandStatus.name(refusal.status());
    if (json) {
      json()
          .write(
              Entry.head("COMMAND_REFUSED", refusal.line(), "a line of the kernel's log")
                  .put("opcode", opcode)
                  .put("op_mod", refusal.modifier())
                  .put("status", status)
                  .put("meaning", refusal.meaning())
                  .put("syndrome", "0x%06x".formatted(refusal.syndrome()))
                  .put("errno", -refusal.errno()));
      return;
    }
    comment(
        "line %d, from the kernel's log: the firmware refused %s (0x%x) with op_mod 0x%x"
            .formatted(refusal.line(), opcode, refusal.opcode(), refusal.modifier()));
    comment(
        "status %s (0x%02x): %s".formatted(status, refusal.status(), refusal.meaning())
            + (refusal.errno() == 0
                ? ""
                : " The caller got errno %d.".formatted(Math.abs(refusal.errno()))));
    comment(
        "syndrome 0x%06x: it distinguishes the refusals of this firmware, and no public document lists them. Search for it together with the command, or give it to NVIDIA's support with the firmware's version. If a software ConnectX answered, 'bluebell run --explain' gives the reason in words."
            .formatted(refusal.syndrome()));
  }

  private void show(Notice notice) {
    separate();
    if (json) {
      json()
          .write(
              Entry.head("NOTICE", notice.line(), "a line of " + notice.form())
                  .put("meaning", notice.what())
                  .put("next", notice.next())
                  .put("page", notice.page()));
      return;
    }
    comment("line %d, from %s: %s".formatted(notice.line(), notice.form(), notice.what()));
    if (!notice.next().isEmpty()) {
      comment("What to check next: " + notice.next());
    }
    comment("More: " + notice.page());
  }

  private void comment(String text) {
    out().println(Wrap.wrap(text, "# ", WIDTH));
  }

  /** The entries of a dump. */
  private List<? extends Entry> decode(Dump dump) {
    if (kind.isPacket()) {
      return List.of(DecodedPacket.of(dump, PacketBytes.best(dump.bytes())));
    }
    List<String> guesses = new ArrayList<>(dump.guesses());
    Optional<Kind> said = kind.kind().or(() -> Optional.ofNullable(dump.told()));
    if (said.isPresent()) {
      return entries(dump, said.get(), dump.bytes(), guesses);
    }
    byte[] bytes = dump.bytes();
    // Ports, lengths and versions of a packet must all match: other entries do not match by chance.
    Optional<PacketView> packet = PacketBytes.find(bytes);
    if (packet.isPresent()) {
      return List.of(DecodedPacket.of(dump, packet.get()));
    }
    if (isZero(bytes)) {
      return List.of(
          new UnknownDump(
              dump,
              "%s of zeros: nothing shows what this is; say it, for instance with --output"
                  .formatted(Counted.of(bytes.length, "byte"))));
    }
    byte[] other = dump.otherOrder();
    if (other != null && sense(other) > sense(bytes)) {
      bytes = other;
      guesses.clear();
      guesses.add(
          "the bytes of each group are read in reverse of the usual order of this form, because"
              + " they make more sense that way");
    }
    Optional<Kind> found = guess(bytes);
    if (found.isEmpty()) {
      return List.of(
          new UnknownDump(
              dump,
              "no known format matches %s: say what this is, for instance with --wqe"
                  .formatted(Counted.of(bytes.length, "byte"))));
    }
    guesses.add(guessed(found.get(), bytes));
    return entries(dump, found.get(), bytes, guesses);
  }

  /** Bytes that are all 0 look like the output of any command, among other things. */
  private static boolean isZero(byte[] bytes) {
    for (byte each : bytes) {
      if (each != 0) {
        return false;
      }
    }
    return true;
  }

  /** How well bytes match an entry: 0 not at all, 2 for kinds that check many fields. */
  private static int sense(byte[] bytes) {
    Optional<Kind> kind = guess(bytes);
    if (kind.isEmpty()) {
      return 0;
    }
    return kind.get() == Kind.WQE || Finding.of(bytes).isPresent() ? 2 : 1;
  }

  /** The kind that bytes look like, also if they are several completions. */
  private static Optional<Kind> guess(byte[] bytes) {
    return isRing(bytes)
            && slices(bytes).stream()
                .allMatch(slice -> Decoder.guess(slice).equals(Optional.of(Kind.CQE)))
        ? Optional.of(Kind.CQE)
        : Decoder.guess(bytes);
  }

  private static boolean isRing(byte[] bytes) {
    return bytes.length > Cqe.BYTES_128 && bytes.length % Cqe.BYTES == 0;
  }

  private static String guessed(Kind kind, byte[] bytes) {
    String name = kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    return "this is %s, by its %d bytes; say what it is if that is wrong, for instance with --cqe"
        .formatted(Counted.a(name), bytes.length);
  }

  private static List<byte[]> slices(byte[] bytes) {
    List<byte[]> slices = new ArrayList<>();
    for (int at = 0; at < bytes.length; at += Cqe.BYTES) {
      slices.add(Arrays.copyOfRange(bytes, at, at + Cqe.BYTES));
    }
    return slices;
  }

  private List<Decoded> entries(Dump dump, Kind found, byte[] bytes, List<String> guesses) {
    List<byte[]> parts = found == Kind.CQE && isRing(bytes) ? slices(bytes) : List.of(bytes);
    List<Decoded> entries = new ArrayList<>();
    for (byte[] part : parts) {
      try {
        entries.add(new Decoded(dump, found, part, kind.decode(found, part), guesses));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "the dump in line %d: %s".formatted(dump.line(), e.getMessage()), e);
      }
    }
    return entries;
  }
}
