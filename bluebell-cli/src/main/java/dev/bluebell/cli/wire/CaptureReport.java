package dev.bluebell.cli.wire;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bluebell.cli.command.OutputFile;
import dev.bluebell.cli.command.WorkFailed;
import dev.bluebell.cli.output.JsonLines;
import dev.bluebell.hca.text.Counted;
import dev.bluebell.roce.capture.CaptureException;
import dev.bluebell.roce.capture.CaptureInterface;
import dev.bluebell.roce.capture.CaptureReader;
import dev.bluebell.roce.capture.CapturedPacket;
import dev.bluebell.roce.capture.PcapngWriter;
import dev.bluebell.roce.capture.RunCutter;
import dev.bluebell.roce.capture.TimeUnits;
import dev.bluebell.roce.conversation.Conversation;
import dev.bluebell.roce.conversation.Conversations;
import dev.bluebell.roce.conversation.Direction;
import dev.bluebell.roce.conversation.Summary;
import dev.bluebell.roce.packet.LinkType;
import dev.bluebell.roce.packet.Packet;
import dev.bluebell.roce.packet.PacketView;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Prints a capture file: a line for each packet, then the conversations. */
public final class CaptureReport {
  private static final int MAGIC_BYTES = 4;
  private static final double NANOS_PER_SECOND = 1e9;

  private final PrintWriter out;
  private final PrintWriter err;
  private final @Nullable JsonLines json;
  private final BooleanSupplier isOutputLost;
  private final RunCutter cutter = new RunCutter();
  private final PacketView view = new PacketView();
  private final Conversations conversations = new Conversations();
  private long frame;
  private long runs;
  private long start;

  /**
   * Creates a report.
   *
   * @param out output of text
   * @param err where it prints the path of the copy
   * @param json output of JSON instead; null for text
   * @param isOutputLost whether output could not be written: then only a copy is still made
   */
  public CaptureReport(
      PrintWriter out, PrintWriter err, @Nullable JsonLines json, BooleanSupplier isOutputLost) {
    this.err = err;
    this.out = out;
    this.json = json;
    this.isOutputLost = isOutputLost;
  }

  /**
   * True for a file that begins as capture files do; false also for an unreadable file.
   *
   * @param in the file from its first byte, where it stays; it must support marks
   */
  public static boolean isCapture(InputStream in) {
    in.mark(MAGIC_BYTES);
    try {
      byte[] head = in.readNBytes(MAGIC_BYTES);
      in.reset();
      return CaptureReader.isCapture(head);
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Prints a file.
   *
   * @param file its name
   * @param in its contents; the caller closes it
   * @param copy file for a copy of the packets with comments; not the same file
   * @throws WorkFailed when the file is damaged; everything before the damage was printed
   */
  public void print(Path file, InputStream in, Optional<Path> copy) throws IOException {
    Optional<OutputFile> written = copy.map(path -> new OutputFile("commented copy", path));
    Optional<CaptureException> damage;
    try {
      // Before the copy, which replaces a file: a file that is no capture has none.
      CaptureReader reader = CaptureReader.open(in);
      try (OutputStream to =
          written
              .<OutputStream>map(each -> new BufferedOutputStream(each.open()))
              .orElseGet(OutputStream::nullOutputStream)) {
        damage =
            packets(
                reader,
                new PcapngWriter(to, ByteOrder.nativeOrder(), TimeUnits.NANOSECONDS),
                copy.isPresent());
      }
    } catch (CaptureException e) {
      throw new WorkFailed("%s: %s".formatted(file, e.getMessage()));
    }
    List<Conversation> all = conversations.all();
    if (json == null && !all.isEmpty()) {
      out.println();
    }
    all.forEach(this::show);
    out.flush();
    if (conversations.unfollowed() > 0) {
      err.println(
          "bluebell: the capture has more than %d flows: %s are in no conversation"
              .formatted(
                  Conversations.MOST_FLOWS, Counted.of(conversations.unfollowed(), "packet")));
      err.flush();
    }
    if (runs > 0) {
      err.println(
          "bluebell: the capture has %s that the kernel had not yet cut into packets, or had joined: they"
                  .formatted(Counted.of(runs, "run"))
              + " were cut, so packets behind them have other numbers in the file");
      err.flush();
    }
    if (frame == 0 && damage.isEmpty() && !isOutputLost.getAsBoolean()) {
      err.println("bluebell: %s has no packets".formatted(file));
      err.flush();
    }
    written.ifPresent(each -> each.announce(err, Counted.of(frame, "packet")));
    if (damage.isPresent()) {
      throw new WorkFailed("%s: %s".formatted(file, damage.get().getMessage()));
    }
  }

  /** Prints and copies all packets up to the end of the file, or to the first damaged one. */
  private Optional<CaptureException> packets(
      CaptureReader reader, PcapngWriter copy, boolean isCopied) throws IOException {
    int described = 0;
    while (isCopied || !isOutputLost.getAsBoolean()) {
      Optional<CapturedPacket> next;
      try {
        next = reader.next();
      } catch (CaptureException e) {
        return Optional.of(e);
      }
      if (next.isEmpty()) {
        return Optional.empty();
      }
      CapturedPacket packet = next.get();
      List<CaptureInterface> interfaces = reader.interfaces();
      while (described < interfaces.size()) {
        copy.describe(interfaces.get(described++));
      }
      int linkType = interfaces.get(packet.interfaceIndex()).linkType();
      Optional<LinkType> link = LinkType.of(linkType);
      if (link.isEmpty()) {
        showUnknown(packet, linkType);
        copy.write(packet);
        continue;
      }
      List<CapturedPacket> packets = cutter.cut(packet, link.get());
      runs += packets.size() > 1 ? 1 : 0;
      for (CapturedPacket each : packets) {
        copy.write(each.withComments(look(each, link.get())));
      }
    }
    return Optional.empty();
  }

  /** Prints a packet, and returns comments on it. */
  private List<String> look(CapturedPacket packet, LinkType link) {
    count(packet);
    int captured = packet.bytes().limit();
    boolean isRoce =
        !view.wrap(packet.bytes(), 0, captured, packet.wireBytes(), link).isOtherProtocol();
    List<String> notes = conversations.add(view, frame, packet.nanoseconds());
    show(packet, Summary.of(view), IcrcVerdict.of(view), notes, isRoce ? text() : "");
    return notes;
  }

  private void showUnknown(CapturedPacket packet, int linkType) {
    count(packet);
    String unknown =
        "a packet of link type %d, which is not supported: capture on an Ethernet interface"
            .formatted(linkType);
    show(packet, unknown, IcrcVerdict.ABSENT, List.of(), "");
  }

  private void count(CapturedPacket packet) {
    frame++;
    start = frame == 1 ? packet.nanoseconds() : start;
  }

  private String text() {
    return json == null ? "" : Packet.of(view).text();
  }

  private void show(
      CapturedPacket packet, String summary, IcrcVerdict icrc, List<String> notes, String text) {
    if (json == null) {
      StringBuilder line = new StringBuilder("%4d %.6f ".formatted(frame, seconds(packet)));
      line.append(summary);
      if (icrc != IcrcVerdict.ABSENT) {
        line.append(" | ICRC ").append(icrc.word());
      }
      notes.stream()
          .filter(note -> icrc != IcrcVerdict.WRONG || !note.startsWith("ICRC"))
          .forEach(note -> line.append(" | ").append(note));
      out.println(line);
      return;
    }
    ObjectNode object =
        JsonLines.object()
            .put("kind", "PACKET")
            .put("packet", frame)
            .put("ns", packet.nanoseconds())
            .put("bytes", packet.wireBytes())
            .put("summary", summary)
            .put("icrc", icrc.word());
    notes.forEach(object.putArray("notes")::add);
    if (!text.isEmpty()) {
      object.put("text", text);
    }
    json.write(object);
  }

  private double seconds(CapturedPacket packet) {
    return (packet.nanoseconds() - start) / NANOS_PER_SECOND;
  }

  private void show(Conversation conversation) {
    if (json == null) {
      conversation.lines().forEach(out::println);
      return;
    }
    ObjectNode object =
        JsonLines.object().put("kind", "CONVERSATION").put("service", conversation.service());
    ArrayNode directions = object.putArray("directions");
    conversation.directions().forEach(direction -> fill(directions.addObject(), direction));
    json.write(object);
  }

  private static void fill(ObjectNode object, Direction direction) {
    object
        .put("source", direction.source())
        .put("source_qpn", direction.sourceQpn())
        .put("destination", direction.destination())
        .put("destination_qpn", direction.destinationQpn())
        .put("packets", direction.packets())
        .put("first_packet", direction.firstFrame())
        .put("last_packet", direction.lastFrame())
        .put("request_packets", direction.requestPackets())
        .put("messages", direction.messages())
        .put("payload_bytes", direction.payloadBytes())
        .put("first_psn", direction.firstPsn())
        .put("last_psn", direction.lastPsn())
        .put("retransmissions", direction.retransmissions())
        .put("duplicates", direction.duplicates())
        .put("missing_psns", direction.missing())
        .put("unacknowledged_psns", direction.unacknowledged())
        .put("acks", direction.acks())
        .put("read_responses", direction.readResponses())
        .put("atomic_responses", direction.atomicResponses())
        .put("repeated_responses", direction.repeatedResponses())
        .put("congestion_notifications", direction.congestionNotifications())
        .put("wrong_icrc", direction.badIcrc());
    ObjectNode naks = object.putObject("naks");
    direction.naks().forEach(naks::put);
    ObjectNode rnrNaks = object.putObject("rnr_naks_by_us");
    direction.rnrNaks().forEach((time, times) -> rnrNaks.put(String.valueOf(time), times));
  }
}
