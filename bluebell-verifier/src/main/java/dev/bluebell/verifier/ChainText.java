package dev.bluebell.verifier;

import dev.bluebell.hca.text.Decoder;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.program.image.Queue;
import dev.bluebell.program.image.Region;
import dev.bluebell.program.image.Right;
import dev.bluebell.program.image.Ring;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A chain of WQEs in text form: memory, queues, and below each queue its entries in the format of
 * {@code bluebell encode}. The chain needs no message to start, and all its queue pairs are on one
 * device.
 *
 * <pre>{@code
 * memory buffer key=0x200 address=0x2000 bytes=8
 *
 * queue copy qpn=0x40
 * wqe {
 *   ctrl opcode=RDMA_WRITE ce=always
 *   raddr address=0x3000 rkey=0x300
 *   data byte_count=8 lkey=0x200 address=0x2000
 * }
 * }</pre>
 *
 * <ul>
 *   <li>{@code memory NAME key=K address=A} with {@code bytes=N} for zeros, {@code content=HEX}, or
 *       {@code any=N} for N unknown bytes. The key is both lkey and rkey, and grants all rights.
 *   <li>{@code key NAME key=K entries=N} for a free key whose context and translation UMRs change;
 *       N is the room for its translation, in units of 16 bytes.
 *   <li>{@code queue NAME qpn=N} begins a queue pair. {@code managed} means that it executes only
 *       entries that a SEND_EN enabled. {@code peer=QPN} is the connected queue pair; the default
 *       is itself. {@code cq=N} and {@code recv_cq=N} are numbers of completion queues; the default
 *       is the QPN. {@code address=A key=K} register the send ring, for WQEs that rewrite it.
 *   <li>{@code relies NAME …} names the memory whose final contents are used, and {@code relies
 *       FLAG after DATA} names memory that is polled, and memory that must be complete then.
 *       Without such lines, all memory is used.
 *   <li>{@code wqe} blocks are the send ring, {@code recv} blocks the receive ring. Index and queue
 *       number of a WQE are optional.
 * </ul>
 *
 * @param image the chain
 * @param unknown names of the memory with unknown content
 * @param reliance results that the application uses
 */
public record ChainText(ProgramImage image, Set<String> unknown, Reliance reliance) {
  private static final Set<Right> ALL = EnumSet.allOf(Right.class);

  // Names of rings follow those of their queues.
  private static final String SEND = ".send";
  private static final String RECEIVE = ".recv";

  /** Address of rings that no key names. */
  private static final long RINGS = 0x4000_0000_0000L;

  private static final int RING_BYTES = 1 << 22;

  /** Width of the numbers of queue pairs and completion queues. */
  private static final int NUMBER_BITS = 24;

  private static final int MAX_BYTES = 1 << 20;
  private static final int RECEIVE_SLOT = 256;
  private static final int MAX_ENTRIES = 1024;

  /** Copies the names. */
  public ChainText {
    unknown = Set.copyOf(unknown);
  }

  /**
   * Reads a chain.
   *
   * @throws IllegalArgumentException when the text is wrong; the message names the line and what is
   *     expected there
   */
  public static ChainText parse(String text) {
    return new Parser(text).chain();
  }

  /** A line that declares memory or a queue pair. */
  private record Heading(int line, List<String> words, Map<String, String> values) {
    static Heading of(int line, String text) {
      List<String> words = new ArrayList<>();
      Map<String, String> values = new LinkedHashMap<>();
      for (String token : text.split("\\s+")) {
        int equals = token.indexOf('=');
        if (equals < 0) {
          words.add(token);
        } else if (values.put(token.substring(0, equals), token.substring(equals + 1)) != null) {
          throw wrong(line, "'%s' is given twice".formatted(token.substring(0, equals)));
        }
      }
      return new Heading(line, words, values);
    }

    String name() {
      if (words.size() < 2) {
        throw wrong(line, "'%s' needs a name".formatted(words.getFirst()));
      }
      return words.get(1);
    }

    void expect(Set<String> known, Set<String> flags) {
      for (String value : values.keySet()) {
        if (!known.contains(value)) {
          throw wrong(
              line,
              "%s has no '%s': take %s"
                  .formatted(words.getFirst(), value, String.join(", ", new TreeSet<>(known))));
        }
      }
      for (String word : words.subList(Math.min(2, words.size()), words.size())) {
        if (!flags.contains(word)) {
          throw wrong(line, "'%s' is not expected here".formatted(word));
        }
      }
    }

    long number(String name) {
      String value = values.get(name);
      if (value == null) {
        throw wrong(line, "%s %s needs %s=".formatted(words.getFirst(), name(), name));
      }
      try {
        boolean hex = value.startsWith("0x") || value.startsWith("0X");
        long number = hex ? Long.parseUnsignedLong(value.substring(2), 16) : Long.parseLong(value);
        if (hex && number < 0) {
          throw new NumberFormatException(value);
        }
        return number;
      } catch (NumberFormatException e) {
        throw wrong(
            line, "%s=%s is not a number up to 0x%x".formatted(name, value, Long.MAX_VALUE));
      }
    }

    /** A number of an object. */
    int id(String name, int bits) {
      long id = number(name);
      if (id >>> bits != 0) {
        throw wrong(line, "%s=%s has more than %d bits".formatted(name, values.get(name), bits));
      }
      return (int) id;
    }

    int id(String name, int bits, int otherwise) {
      return values.containsKey(name) ? id(name, bits) : otherwise;
    }
  }

  /** A queue pair whose entries are being read. */
  private static final class QueueText {
    final Heading heading;
    final List<byte[]> sends = new ArrayList<>();
    final List<byte[]> receives = new ArrayList<>();

    QueueText(Heading heading) {
      this.heading = heading;
    }

    int qpn() {
      return heading.id("qpn", NUMBER_BITS);
    }

    int cq() {
      return heading.id("cq", NUMBER_BITS, qpn());
    }

    int receiveCq() {
      return heading.id("recv_cq", NUMBER_BITS, qpn());
    }

    /** Adds a WQE, padded to whole WQEBBs, with index and queue number if it has none. */
    void send(byte[] entry) {
      int slots = (entry.length + 63) / 64;
      byte[] wqe = Arrays.copyOf(entry, 64 * slots);
      if (ControlSegment.INDEX.get(wqe, 0) == 0) {
        ControlSegment.INDEX.set(wqe, 0, sends.size() & 0xffff);
      }
      if (ControlSegment.QPN.get(wqe, 0) == 0) {
        ControlSegment.QPN.set(wqe, 0, qpn());
      }
      for (int i = 0; i < slots; i++) {
        sends.add(Arrays.copyOfRange(wqe, 64 * i, 64 * i + 64));
      }
    }
  }

  private static final class Parser {
    private final List<Region> regions = new ArrayList<>();
    private final List<QueueText> queues = new ArrayList<>();
    private final Set<String> names = new LinkedHashSet<>();
    private final Set<String> unknown = new LinkedHashSet<>();
    private final Set<String> used = new LinkedHashSet<>();
    private final List<Reliance.Flag> flags = new ArrayList<>();
    private final List<Heading> reliances = new ArrayList<>();
    private final List<String> lines;

    Parser(String text) {
      lines = text.lines().toList();
    }

    ChainText chain() {
      for (int at = 0; at < lines.size(); at++) {
        String line = lines.get(at).replaceFirst("#.*", "").strip();
        if (line.endsWith("{")) {
          at = entry(at, line.split("\\s+")[0]);
        } else if (!line.isEmpty()) {
          read(Heading.of(at + 1, line));
        }
      }
      if (queues.isEmpty()) {
        throw wrong(
            Math.max(1, lines.size()), "a chain needs a queue, such as 'queue copy qpn=0x40'");
      }
      checkReliance();
      return new ChainText(image(), unknown, new Reliance(used, flags));
    }

    private void read(Heading heading) {
      switch (heading.words().isEmpty() ? "" : heading.words().getFirst()) {
        case "memory" -> memory(heading);
        case "key" -> key(heading);
        case "relies" -> reliances.add(heading);
        case "queue" -> {
          heading.expect(
              Set.of("qpn", "peer", "cq", "recv_cq", "address", "key"), Set.of("managed"));
          declare(heading, heading.name());
          declare(heading, heading.name() + SEND);
          declare(heading, heading.name() + RECEIVE);
          QueueText queue = new QueueText(heading);
          if (queues.stream().anyMatch(other -> other.qpn() == queue.qpn())) {
            throw wrong(
                heading.line(), "there are two queues with qpn 0x%x".formatted(queue.qpn()));
          }
          queues.add(queue);
        }
        default ->
            throw wrong(
                heading.line(),
                ("expected 'memory NAME …', 'key NAME …', 'queue NAME …', 'relies NAME …', 'wqe {'"
                        + " or 'recv {', found '%s'")
                    .formatted(lines.get(heading.line() - 1).strip()));
      }
    }

    private void checkReliance() {
      for (Heading heading : reliances) {
        if (!heading.values().isEmpty()) {
          throw wrong(
              heading.line(), "'relies' takes names: 'relies NAME …', or 'relies FLAG after DATA'");
        }
        List<String> named = heading.words().subList(1, heading.words().size());
        boolean isFlag = named.size() == 3 && named.get(1).equals("after");
        List<String> memory = isFlag ? List.of(named.get(0), named.get(2)) : named;
        for (String each : memory) {
          if (regions.stream()
              .noneMatch(
                  region -> region.owner() == Region.Owner.PROGRAM && region.name().equals(each))) {
            throw wrong(heading.line(), "'%s' is not memory of the chain".formatted(each));
          }
        }
        if (memory.isEmpty()) {
          throw wrong(heading.line(), "'relies' needs names of memory");
        }
        used.addAll(memory);
        if (isFlag) {
          flags.add(new Reliance.Flag(named.get(0), named.get(2)));
        }
      }
    }

    private void declare(Heading heading, String name) {
      if (!names.add(name)) {
        throw wrong(heading.line(), "'%s' is declared twice".formatted(name));
      }
    }

    private void memory(Heading heading) {
      heading.expect(Set.of("key", "address", "bytes", "content", "any"), Set.of());
      declare(heading, heading.name());
      byte[] content = content(heading);
      if (heading.values().containsKey("any")) {
        unknown.add(heading.name());
      }
      add(heading, heading.name(), content);
    }

    /** A key that leads nowhere until a UMR changes it. */
    private void key(Heading heading) {
      heading.expect(Set.of("key", "entries"), Set.of());
      declare(heading, heading.name());
      long entries = heading.number("entries");
      if (entries < 4 || entries > MAX_ENTRIES || entries % 4 != 0) {
        throw wrong(
            heading.line(), "a key has 4 to %d entries, in multiples of 4".formatted(MAX_ENTRIES));
      }
      int key = unusedKey(heading);
      regions.add(
          new Region(
              heading.name(),
              Region.Owner.KEY,
              (long) regions.size() << 32,
              KeyContents.free(key, (int) entries),
              key,
              key,
              Set.of()));
    }

    private int unusedKey(Heading heading) {
      int key = heading.id("key", Integer.SIZE);
      regions.stream()
          .filter(other -> other.lkey() == key)
          .findFirst()
          .ifPresent(
              other -> {
                throw wrong(
                    heading.line(), "key 0x%x already belongs to %s".formatted(key, other.name()));
              });
      return key;
    }

    private void add(Heading heading, String name, byte[] content) {
      int key = unusedKey(heading);
      long address = heading.number("address");
      if (address < 0 || address > Long.MAX_VALUE - content.length) {
        throw wrong(
            heading.line(),
            "%s must lie between address 0 and 0x%x".formatted(name, Long.MAX_VALUE));
      }
      regions.add(new Region(name, Region.Owner.PROGRAM, address, content, key, key, ALL));
    }

    private static byte[] content(Heading heading) {
      if (Stream.of("bytes", "content", "any").filter(heading.values()::containsKey).count() > 1) {
        throw wrong(
            heading.line(),
            "memory %s takes one of bytes, content and any".formatted(heading.name()));
      }
      String hex = heading.values().get("content");
      long bytes =
          hex != null
              ? (hex.length() + 1) / 2
              : heading.number(heading.values().containsKey("any") ? "any" : "bytes");
      if (bytes < 1 || bytes > MAX_BYTES) {
        throw wrong(heading.line(), "memory has 1 to %d bytes".formatted(MAX_BYTES));
      }
      if (hex == null) {
        return new byte[(int) bytes];
      }
      try {
        return HexFormat.of().parseHex(hex);
      } catch (IllegalArgumentException e) {
        throw wrong(heading.line(), "content=%s is not hexadecimal digits".formatted(hex));
      }
    }

    /** Reads a block up to its closing brace; returns the index of that line. */
    private int entry(int from, String kind) {
      if (queues.isEmpty()) {
        throw wrong(from + 1, "an entry needs a queue above it, such as 'queue copy qpn=0x40'");
      }
      int to = from;
      while (to < lines.size() && !lines.get(to).replaceFirst("#.*", "").strip().equals("}")) {
        to++;
      }
      if (to == lines.size()) {
        throw wrong(from + 1, "the block has no closing '}'");
      }
      String block = String.join("\n", lines.subList(from, to + 1));
      QueueText queue = queues.getLast();
      switch (kind) {
        case "wqe" -> {
          byte[] entry = encode(from, block);
          if (entry.length < ControlSegment.BYTES) {
            throw wrong(from + 1, "a send entry begins with a control segment");
          }
          queue.send(entry);
          requireRoom(from, 64 * queue.sends.size());
        }
        case "recv" -> {
          byte[] entry = encode(from, block);
          if (entry.length > RECEIVE_SLOT || entry.length % DataSegment.BYTES != 0) {
            throw wrong(
                from + 1,
                "a receive entry has segments of %d bytes, and at most %d bytes in all"
                    .formatted(DataSegment.BYTES, RECEIVE_SLOT));
          }
          queue.receives.add(slot(entry));
          requireRoom(from, RECEIVE_SLOT * queue.receives.size());
        }
        default ->
            throw wrong(from + 1, "expected 'wqe {' or 'recv {', found '%s {'".formatted(kind));
      }
      return to;
    }

    private static byte[] encode(int from, String block) {
      try {
        return Decoder.encode(block);
      } catch (IllegalArgumentException wrong) {
        // Again with blank lines in front, so that the message names the line of the whole text.
        return Decoder.encode("\n".repeat(from) + block);
      }
    }

    private static void requireRoom(int from, int bytes) {
      if (bytes > RING_BYTES) {
        throw wrong(from + 1, "the entries of a queue have at most %d bytes".formatted(RING_BYTES));
      }
    }

    /** A receive entry with the segment behind it that ends its list, as drivers write it. */
    private static byte[] slot(byte[] entry) {
      byte[] slot = Arrays.copyOf(entry, RECEIVE_SLOT);
      if (entry.length < RECEIVE_SLOT) {
        DataSegment.LKEY.set(slot, entry.length, DataSegment.INVALID_LKEY);
      }
      return slot;
    }

    private ProgramImage image() {
      List<Queue> built = new ArrayList<>();
      Set<Integer> cqs = new LinkedHashSet<>();
      for (QueueText queue : queues) {
        built.add(build(queue, built.size()));
        cqs.add(queue.cq());
        cqs.add(queue.receiveCq());
      }
      return new ProgramImage(built, List.copyOf(cqs), regions, List.of());
    }

    private Queue build(QueueText queue, int position) {
      Heading heading = queue.heading;
      int peer = heading.id("peer", NUMBER_BITS, queue.qpn());
      if (queues.stream().noneMatch(other -> other.qpn() == peer)) {
        throw wrong(heading.line(), "peer 0x%x is not a queue of the chain".formatted(peer));
      }
      long own = RINGS + 2L * RING_BYTES * position;
      Ring sends = ring(queue, heading.name() + SEND, own, queue.sends, 6);
      Ring receives =
          queue.receives.isEmpty()
              ? null
              : privateRing(heading.name() + RECEIVE, own + RING_BYTES, queue.receives, 8);
      return new Queue(
          heading.name(),
          queue.qpn(),
          peer,
          heading.words().contains("managed"),
          true,
          sends,
          receives,
          0,
          queue.cq(),
          queue.receiveCq());
    }

    private Ring ring(
        QueueText queue, String name, long address, List<byte[]> entries, int logStride) {
      if (!queue.heading.values().containsKey("key")) {
        return privateRing(name, address, entries, logStride);
      }
      add(queue.heading, name, bytes(entries, logStride));
      return new Ring(regions.getLast(), 0, logStride, logSlots(entries.size()), entries.size());
    }

    /** Creates a ring that no key names. */
    private Ring privateRing(String name, long address, List<byte[]> entries, int logStride) {
      Region region =
          new Region(
              name, Region.Owner.UNREGISTERED, address, bytes(entries, logStride), 0, 0, Set.of());
      regions.add(region);
      return new Ring(region, 0, logStride, logSlots(entries.size()), entries.size());
    }

    private static byte[] bytes(List<byte[]> entries, int logStride) {
      byte[] bytes = new byte[1 << logSlots(entries.size()) + logStride];
      for (int i = 0; i < entries.size(); i++) {
        System.arraycopy(entries.get(i), 0, bytes, i << logStride, entries.get(i).length);
      }
      return bytes;
    }

    /** Size of the smallest ring for the entries, with a free slot, since no ring wraps. */
    private static int logSlots(int entries) {
      return Integer.SIZE - Integer.numberOfLeadingZeros(entries);
    }
  }

  private static IllegalArgumentException wrong(int line, String sentence) {
    return new IllegalArgumentException("line %d: %s".formatted(line, sentence));
  }
}
