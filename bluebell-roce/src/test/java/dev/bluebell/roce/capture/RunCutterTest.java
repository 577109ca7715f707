package dev.bluebell.roce.capture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.bluebell.roce.Captures;
import dev.bluebell.roce.packet.Bth;
import dev.bluebell.roce.packet.Ipv4;
import dev.bluebell.roce.packet.LinkType;
import dev.bluebell.roce.packet.Packet;
import dev.bluebell.roce.packet.PacketView;
import dev.bluebell.roce.packet.Udp;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs of packets that a capture has as one are cut as the kernel cuts them. */
class RunCutterTest {
  private static final Path RUNS = Path.of("src/test/resources/runs");

  private final RunCutter cutter = new RunCutter();
  private final PacketView view = new PacketView();

  private static List<CapturedPacket> captured(String name) throws IOException {
    return Captures.packets(Files.readAllBytes(RUNS.resolve(name + ".pcap")));
  }

  private List<CapturedPacket> cut(List<CapturedPacket> captured) {
    List<CapturedPacket> packets = new ArrayList<>();
    captured.forEach(each -> packets.addAll(cutter.cut(each, LinkType.ETHERNET)));
    return packets;
  }

  private boolean isGood(CapturedPacket packet) {
    Captures.wrap(view, packet);
    return view.hasIcrc() && view.isIcrcGood();
  }

  @ParameterizedTest
  @CsvSource({"send_v4, 2, 5", "send_v6, 4, 8", "write_v4, 5, 17", "read_v4, 3, 9"})
  void everyPacketOfARunHasItsOwnIcrc(String name, int captured, int packets) throws IOException {
    assertThat(captured(name)).hasSize(captured);
    assertThat(cut(captured(name))).hasSize(packets).allMatch(this::isGood);
  }

  @Test
  void thePacketsOfARunHaveConsecutivePsnsAndIdentifications() throws IOException {
    List<CapturedPacket> run = cut(captured("send_v4").subList(0, 1));
    assertThat(run)
        .extracting(each -> Bth.PSN.getInt(each.bytes(), 42))
        .containsExactly(0xba3465, 0xba3466, 0xba3467, 0xba3468);
    assertThat(run)
        .extracting(each -> Ipv4.IDENTIFICATION.getInt(each.bytes(), 14))
        .containsExactly(0, 1, 2, 3);
    assertThat(run)
        .extracting(each -> Ipv4.TOTAL_LENGTH.getInt(each.bytes(), 14))
        .containsExactly(300, 300, 300, 276);
  }

  @Test
  void packetsThatTheKernelJoinedHaveTheIdentificationsOfTheirIcrcs() throws IOException {
    CapturedPacket packet = captured("send_v4").getLast();
    // The same identification twice, as in packets that were not sent as a run.
    ByteBuffer joined = ByteBuffer.allocate(62 + 20);
    joined.put(0, packet.bytes(), 0, 62).put(62, packet.bytes(), 42, 20);
    Ipv4.TOTAL_LENGTH.put(joined, 14, 68);
    joined.putShort(38, (short) 48);
    List<CapturedPacket> packets =
        cut(List.of(new CapturedPacket(0, 0, joined, joined.limit(), List.of())));
    assertThat(packets).hasSize(2).allMatch(this::isGood);
    assertThat(packets.getLast().bytes()).isEqualTo(packet.bytes());
  }

  @Test
  void aPacketThatIsNoRunStaysAsItIs() throws IOException {
    CapturedPacket acknowledgement = captured("send_v4").getLast();
    assertThat(cut(List.of(acknowledgement))).containsExactly(acknowledgement);
    acknowledgement.bytes().put(50, (byte) ~acknowledgement.bytes().get(50));
    assertThat(cut(List.of(acknowledgement))).containsExactly(acknowledgement);
  }

  @Test
  void aPacketFullOfHeadersCostsOnlyAFewTimesItsBytes() throws IOException {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    ByteBuffer hostile = ByteBuffer.allocate(6000);
    hostile.put(0, captured("send_v4").getLast().bytes(), 0, 54);
    Ipv4.TOTAL_LENGTH.put(hostile, 14, 6000 - 14);
    Udp.LENGTH.put(hostile, 34, 6000 - 34);
    for (int at = 54; at + Integer.BYTES <= 6000; at += Integer.BYTES) {
      hostile.putInt(at, 0x0400_ffff);
    }
    CapturedPacket packet = new CapturedPacket(0, 0, hostile, 6000, List.of());
    assertThat(cut(List.of(packet))).containsExactly(packet);
    long before = threads.getCurrentThreadAllocatedBytes();
    List<CapturedPacket> unused = cut(List.of(packet));
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(30 * 6000);
  }

  @Test
  void aDamagedPacketInARunDoesNotHideTheOthers() throws IOException {
    CapturedPacket run = captured("send_v4").getFirst();
    run.bytes().put(42 + 272 + 100, (byte) 1);
    List<CapturedPacket> packets = cut(List.of(run));
    assertThat(packets).extracting(this::isGood).containsExactly(true, false, true, true);
    Captures.wrap(view, packets.get(2));
    assertThat(Packet.of(view).text()).contains("RC_SEND_MIDDLE");
  }
}
