package dev.bluebell.roce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.sun.management.ThreadMXBean;
import dev.bluebell.roce.capture.CaptureException;
import dev.bluebell.roce.capture.CaptureInterface;
import dev.bluebell.roce.capture.CapturedPacket;
import dev.bluebell.roce.capture.PcapngWriter;
import dev.bluebell.roce.capture.TimeUnits;
import dev.bluebell.roce.conversation.Conversation;
import dev.bluebell.roce.conversation.Conversations;
import dev.bluebell.roce.conversation.Summary;
import dev.bluebell.roce.packet.LinkType;
import dev.bluebell.roce.packet.Packet;
import dev.bluebell.roce.packet.PacketView;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Input that is truncated, modified, or has false lengths is only described or refused. */
class HostileInputTest {
  private static final int ROUNDS = Integer.getInteger("bluebell.roce.rounds", 2_000);
  private static final long SEED = Long.getLong("bluebell.roce.seed", 31);

  private static final byte[] LIES = {0, 1, 4, 0x7f, (byte) 0x80, (byte) 0xff};

  private final PacketView view = new PacketView();
  private Conversations conversations = new Conversations();
  private int mutations;

  private void look(byte[] bytes, long wire) {
    mutations++;
    for (LinkType link : LinkType.values()) {
      view.wrap(ByteBuffer.wrap(bytes), 0, bytes.length, wire, link);
      if (link == LinkType.ETHERNET) {
        String text = Packet.of(view).text();
        assertThat(Packet.parse(text).bytes()).isEqualTo(bytes);
      }
      assertThat(Summary.of(view)).isNotEmpty();
      conversations.add(view, mutations, mutations);
    }
  }

  private static List<byte[]> golden() throws IOException {
    return Files.readAllLines(Captures.FOLDER.resolve("golden_packets.tsv")).stream()
        .filter(line -> !line.startsWith("#"))
        .map(line -> HexFormat.of().parseHex(line.split("\t")[8]))
        .toList();
  }

  @Test
  @Tag("slow")
  void packetsMayBeCutAnywhereAndHaveAnyByteChanged() throws IOException {
    for (byte[] packet : golden()) {
      conversations = new Conversations();
      int interesting = Math.min(packet.length, 100);
      for (int length = 0; length < interesting; length++) {
        look(Arrays.copyOf(packet, length), length);
        look(Arrays.copyOf(packet, length), packet.length);
      }
      for (int at = 0; at < interesting; at++) {
        for (byte lie : LIES) {
          byte[] changed = packet.clone();
          changed[at] = lie;
          look(changed, changed.length);
        }
      }
      conversations.all().forEach(Conversation::lines);
    }
    System.out.printf("%d changed packets%n", mutations);
    assertThat(mutations).isGreaterThan(30_000);
  }

  @Test
  void packetsMayHaveAnyBitsChangedAtOnce() throws IOException {
    System.out.printf("bluebell.roce.seed=%d, %d rounds%n", SEED, ROUNDS);
    Random random = new Random(SEED);
    List<byte[]> packets = golden();
    for (int round = 0; round < ROUNDS; round++) {
      byte[] packet = packets.get(random.nextInt(packets.size()));
      byte[] changed = Arrays.copyOf(packet, Math.min(packet.length, 100 + random.nextInt(60)));
      for (int flips = 1 + random.nextInt(4); flips > 0; flips--) {
        changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
      }
      look(changed, changed.length + (random.nextBoolean() ? 0 : random.nextInt(1 << 20)));
    }
    conversations.all().forEach(Conversation::lines);
  }

  private static byte[] pcapng(String capture) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PcapngWriter writer = new PcapngWriter(out, ByteOrder.LITTLE_ENDIAN, TimeUnits.NANOSECONDS);
    writer.describe(new CaptureInterface(1, 0));
    for (CapturedPacket packet : Captures.packets(capture)) {
      writer.write(packet.withComments(List.of("a comment")));
    }
    return out.toByteArray();
  }

  private static byte[] file(String format) throws IOException {
    return format.equals("pcap")
        ? Files.readAllBytes(Captures.FOLDER.resolve("rc_rnr_exhaust.pcap"))
        : pcapng("rc_rnr_exhaust");
  }

  /** Reads a file, which may be refused by one sentence. */
  private void read(byte[] file) throws IOException {
    mutations++;
    try {
      for (CapturedPacket packet : Captures.packets(file)) {
        assertThat(packet.wireBytes()).isGreaterThanOrEqualTo(packet.bytes().limit());
        Captures.wrap(view, packet);
        conversations.add(view, mutations, packet.nanoseconds());
      }
    } catch (CaptureException e) {
      assertThat(e.getMessage()).doesNotContain("\n").hasSizeBetween(20, 200);
    } catch (RuntimeException e) {
      fail("seed %d: a file of %d bytes".formatted(SEED, file.length), e);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"pcap", "pcapng"})
  void captureFilesMayBeCutAnywhereAndHaveAnyByteChanged(String format) throws IOException {
    byte[] file = file(format);
    for (int length = 0; length < file.length; length++) {
      read(Arrays.copyOf(file, length));
    }
    for (int at = 0; at < file.length; at++) {
      for (byte lie : LIES) {
        byte[] changed = file.clone();
        changed[at] = lie;
        read(changed);
      }
    }
    Random random = new Random(SEED);
    for (int round = 0; round < ROUNDS / 4; round++) {
      byte[] changed = file.clone();
      for (int flips = 1 + random.nextInt(4); flips > 0; flips--) {
        changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
      }
      read(changed);
    }
    System.out.printf("%d changed %s files, bluebell.roce.seed=%d%n", mutations, format, SEED);
  }

  /** False lengths cost little more memory than the file has bytes. */
  @ParameterizedTest
  @ValueSource(strings = {"pcap", "pcapng"})
  void aFalseLengthTakesNoMemory(String format) throws IOException {
    byte[] file = file(format);
    int lengthAt = format.equals("pcap") ? 24 + 8 : 28 + 4;
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (int lie : new int[] {1 << 16, 1 << 18, 1 << 24, 1 << 30, -1, -4, Integer.MIN_VALUE}) {
      byte[] changed = file.clone();
      ByteBuffer.wrap(changed).order(ByteOrder.LITTLE_ENDIAN).putInt(lengthAt, lie);
      read(changed);
      long before = threads.getCurrentThreadAllocatedBytes();
      read(changed);
      assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(1 << 17);
    }
  }
}
