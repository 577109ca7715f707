package dev.bluebell.cli.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bluebell.cli.command.CliCommand;
import dev.bluebell.cli.command.ErrorReport;
import dev.bluebell.cli.command.WorkFailed;
import dev.bluebell.cli.output.JsonLines;
import dev.bluebell.cli.output.Wrap;
import dev.bluebell.cli.paste.CommandRefusal;
import dev.bluebell.cli.paste.CqeEnd;
import dev.bluebell.cli.paste.Dump;
import dev.bluebell.cli.paste.FailedRequest;
import dev.bluebell.cli.paste.Headline;
import dev.bluebell.cli.paste.Notice;
import dev.bluebell.cli.paste.PasteReader;
import dev.bluebell.cli.paste.PasteReader.Paste;
import dev.bluebell.cli.paste.Piece;
import dev.bluebell.cli.paste.Report;
import dev.bluebell.cli.paste.Unread;
import dev.bluebell.cli.trace.TraceFormat;
import dev.bluebell.cli.wire.CaptureReport;
import dev.bluebell.cli.wire.PacketBytes;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.text.Counted;
import dev.bluebell.hca.text.Decoder;
import dev.bluebell.hca.text.Decoder.Kind;
import dev.bluebell.hca.text.Printable;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.roce.packet.PacketView;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
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
  private static final int MOST_REQUESTS = 10;

  /** A trace is recognized by what it begins with. */
  private static final int HEAD = 1 << 13;

  private static final byte[] GZIP = {0x1f, (byte) 0x8b};

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
    if (files.size() == 1) {
      decode(files.getFirst());
      return ExitCode.OK;
    }
    int exitCode = ExitCode.OK;
    for (Path file : files) {
      head(file);
      try {
        decode(file);
      } catch (IllegalArgumentException | WorkFailed e) {
        exitCode = failure(file, e);
      }
    }
    return exitCode;
  }

  private void decode(Path file) throws IOException {
    // Opened only once: a pipe does not return the same bytes again.
    try (InputStream in = TextInput.open(file)) {
      decode(file, in);
    }
  }

  /** Reports what is wrong with one of several files; the others are decoded nevertheless. */
  private int failure(Path file, RuntimeException why) {
    String sentence = String.valueOf(why.getMessage());
    RuntimeException named =
        sentence.startsWith(file.toString())
            ? why
            : new IllegalArgumentException("%s: %s".formatted(file, sentence), why);
    out().flush();
    return ErrorReport.failure(named, commandLine(), commandLine().getParseResult());
  }

  private void explainArguments() throws IOException {
    try {
      explain(new BufferedReader(new StringReader(input.text())));
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
      out().println("# " + Printable.line(file.toString()));
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
      requireNotCompressed(file, in);
      explain(TextInput.reader(in));
    }
  }

  private static void requireNotCompressed(Path file, InputStream in) throws IOException {
    in.mark(GZIP.length);
    byte[] head = in.readNBytes(GZIP.length);
    in.reset();
    if (Arrays.equals(head, GZIP)) {
      throw new WorkFailed("%s is compressed with gzip: unpack it first".formatted(file));
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
  private void explain(BufferedReader text) throws IOException {
    requireNoTrace(text);
    Paste paste = PasteReader.read(text);
    if (paste.pieces().isEmpty()) {
      throw input.files().isEmpty()
          ? input.nothing()
          : new WorkFailed("there is nothing to translate in this file");
    }
    Parts parts = new Parts(paste.pieces().stream().flatMap(this::parts).toList());
    requireAnyKnown(paste, parts);
    parts.all().forEach(part -> show(part, parts));
    if (!json) {
      parts.order().ifPresent(this::comment);
      if (!paste.leftOut().isEmpty()) {
        comment(leftOut(paste));
      }
    }
    out().flush();
  }

  private Stream<Part> parts(Piece piece) {
    return switch (piece) {
      case Dump dump -> decode(dump).stream().map(entry -> new Part(piece, entry));
      case Unread unread -> Stream.of(new Part(piece, UnknownDump.of(unread)));
      default -> Stream.of(new Part(piece, null));
    };
  }

  private static void requireNoTrace(BufferedReader text) throws IOException {
    char[] head = new char[HEAD];
    text.mark(HEAD);
    int length = Math.max(0, text.read(head));
    text.reset();
    Optional<TraceFormat> trace = TraceFormat.ofContents(new String(head, 0, length));
    if (trace.isPresent()) {
      throw new WorkFailed(
          "nothing to decode: this is a trace of 'bluebell trace' or 'bluebell run --trace' %s: %s"
              .formatted(trace.get(), trace.get().opener()));
    }
  }

  /**
   * Lines of a log may look like bytes: they must not hide what else the log has.
   *
   * @throws IllegalArgumentException when the text has nothing but dumps that were not understood
   */
  private static void requireAnyKnown(Paste paste, Parts parts) {
    boolean anyKnown =
        parts.all().stream().anyMatch(part -> !(part.entry() instanceof UnknownDump));
    if (!anyKnown && parts.all().getFirst().entry() instanceof UnknownDump unknown) {
      throw new IllegalArgumentException(
          unknown.sentence() + (paste.leftOut().isEmpty() ? "" : " (" + leftOut(paste) + ")"));
    }
  }

  private static String leftOut(Paste paste) {
    return "not understood: " + Parts.lines(paste.leftOut());
  }

  private void separate() {
    if (shown++ > 0 && !json) {
      out().println();
    }
  }

  private void show(Part part, Parts parts) {
    Entry entry = part.entry();
    if (json) {
      if (entry == null) {
        show(part.piece());
      } else {
        separate();
        json().write(entry.json());
      }
      return;
    }
    if (entry == null) {
      if (!parts.isExplained(part)) {
        return;
      }
      show(part.piece());
    } else if (!parts.isRepeated(part)) {
      separate();
      if (parts.isSeveral() && !entry.text().isEmpty()) {
        comment("line %d:".formatted(part.line()));
      }
      out().print(entry.text());
      entry.remarks().forEach(this::comment);
      explain(part, parts);
    }
    if (parts.isExplained(part)) {
      showRest(part, parts);
    }
  }

  private void explain(Part part, Parts parts) {
    Optional<Finding> finding = part.finding();
    if (finding.isPresent() && !parts.isExplained(part)) {
      comment("%s: explained at line %d".formatted(finding.get().name(), parts.explainedIn(part)));
    } else {
      finding.ifPresent(found -> found.lines().forEach(out()::println));
    }
  }

  /** Shows what else the text says about the failure of a part. */
  private void showRest(Part part, Parts parts) {
    List<FailedRequest> requests = parts.requests(part);
    requests.stream().limit(MOST_REQUESTS).forEach(request -> comment(sentence(request)));
    if (requests.size() > MOST_REQUESTS) {
      comment("%d more requests".formatted(requests.size() - MOST_REQUESTS));
    }
    BitSet lines = parts.repetitions(part);
    if (!lines.isEmpty()) {
      comment(
          "The same in %s: %s"
              .formatted(Counted.of(lines.cardinality(), "more line"), Parts.lines(lines)));
    }
  }

  private static String sentence(FailedRequest request) {
    return "line %d, from UCX: %s".formatted(request.line(), request.sentence());
  }

  private void show(Piece piece) {
    switch (piece) {
      case Report report -> show(report);
      case FailedRequest request -> show(request);
      case CommandRefusal refusal -> show(refusal);
      case Notice notice -> show(notice);
      case Dump _, Unread _ -> {}
    }
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
      comment("This meaning of the vendor code applies only to ConnectX-4 and later cards.");
    }
  }

  private void show(FailedRequest request) {
    separate();
    if (!json) {
      comment(sentence(request));
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
        "syndrome 0x%06x: %s %s If a software ConnectX answered, 'bluebell run --explain' gives the reason in words."
            .formatted(refusal.syndrome(), CommandRefusal.SYNDROME, CommandRefusal.SEARCH));
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
    Headline headline = dump.headline();
    if (headline != null) {
      // An option for the dumps of a text does not override what the text says about one of them.
      return entries(dump, headline.kind(), headline.service(), dump.bytes(), dump.guesses());
    }
    if (kind.isPacket()) {
      return List.of(DecodedPacket.of(dump, PacketBytes.best(dump.bytes())));
    }
    List<String> guesses = new ArrayList<>(dump.guesses());
    if (kind.kind().isPresent()) {
      return entries(dump, kind.kind().get(), ServiceType.RC, dump.bytes(), guesses);
    }
    byte[] bytes = dump.bytes();
    // Ports, lengths and versions of a packet must all match: other entries do not match by chance.
    Optional<PacketView> packet = PacketBytes.find(bytes);
    if (packet.isPresent()) {
      return List.of(DecodedPacket.of(dump, packet.get()));
    }
    if (isZero(bytes)) {
      return unknown(
          dump,
          "%s of zeros: nothing shows what this is; say it, for instance with --output"
              .formatted(Counted.of(bytes.length, "byte")));
    }
    byte[] other = dump.otherOrder();
    if (other != null && sense(other) > sense(bytes)) {
      bytes = other;
      guesses.clear();
      guesses.add(
          "the bytes of each group are read in reverse of the usual order of this form, because"
              + " they make more sense that way");
    }
    if (CqeEnd.completed(bytes).isPresent()) {
      return entries(dump, Kind.CQE, ServiceType.RC, bytes, guesses);
    }
    Optional<Kind> found = guess(bytes);
    if (found.isEmpty()) {
      return unknown(
          dump,
          "no known format matches %s: say what this is, for instance with --wqe"
              .formatted(Counted.of(bytes.length, "byte")));
    }
    if (isWeak(found.get(), bytes)) {
      return unknown(
          dump,
          "these %d bytes may be anything; if they are %s, say so with %s"
              .formatted(
                  bytes.length,
                  Counted.a(name(found.get())),
                  found.get() == Kind.OUTPUT ? "--output" : "--recv"));
    }
    guesses.add(guessed(found.get(), bytes));
    return entries(dump, found.get(), ServiceType.RC, bytes, guesses);
  }

  private static List<UnknownDump> unknown(Dump dump, String reason) {
    return List.of(UnknownDump.of(dump, reason));
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
    if (CqeEnd.completed(bytes).isPresent()) {
      return 2;
    }
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

  /** Bytes of almost any origin look like one segment, or like zeros before anything else. */
  private static boolean isWeak(Kind kind, byte[] bytes) {
    return kind == Kind.RECEIVE && bytes.length == DataSegment.BYTES
        || kind == Kind.OUTPUT && isZero(Arrays.copyOf(bytes, Long.BYTES));
  }

  private static String name(Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static String guessed(Kind kind, byte[] bytes) {
    return "this is %s, by its %d bytes; say what it is if that is wrong, for instance with --cqe"
        .formatted(Counted.a(name(kind)), bytes.length);
  }

  private static List<byte[]> slices(byte[] bytes) {
    List<byte[]> slices = new ArrayList<>();
    for (int at = 0; at < bytes.length; at += Cqe.BYTES) {
      slices.add(Arrays.copyOfRange(bytes, at, at + Cqe.BYTES));
    }
    return slices;
  }

  private List<? extends Entry> entries(
      Dump dump, Kind found, ServiceType service, byte[] bytes, List<String> guesses) {
    Optional<byte[]> completed =
        found == Kind.CQE ? CqeEnd.completed(bytes) : Optional.<byte[]>empty();
    if (completed.isPresent()) {
      List<String> both = new ArrayList<>(guesses);
      both.add(
          "these are the last %d bytes of a cqe; the missing ones are shown as 0"
              .formatted(bytes.length));
      return entries(dump, found, service, completed.get(), both);
    }
    List<byte[]> parts = found == Kind.CQE && isRing(bytes) ? slices(bytes) : List.of(bytes);
    List<Decoded> entries = new ArrayList<>();
    for (byte[] part : parts) {
      try {
        entries.add(new Decoded(dump, found, part, kind.decode(found, service, part), guesses));
      } catch (IllegalArgumentException e) {
        return unknown(dump, String.valueOf(e.getMessage()));
      }
    }
    return entries;
  }
}
