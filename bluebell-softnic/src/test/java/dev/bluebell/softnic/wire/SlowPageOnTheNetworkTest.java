package dev.bluebell.softnic.wire;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.SlowPage;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.rig.OtherProcess;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Wqe;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A page fault that does not end, at a device on a network, stops only the client that owns it. */
@Timeout(60)
@ResourceLock(TwoDevices.ADDRESSES)
class SlowPageOnTheNetworkTest {
  private static final byte[] TEXT = "sixteen bytes so".getBytes(US_ASCII);

  private final TwoDevices devices = new TwoDevices();
  private final RawMemory source = devices.near.memory(64);
  private final Slow slow = new Slow();
  private final Rig other = client();
  private final RawMemory others = other.memory(64);
  private final RawQp toOther = connect(other);

  private Rig client() {
    return new Rig(
        (SoftNic) devices.far.nic().hosting().orElseThrow().openClient(), devices.far.clock());
  }

  /** Connects a queue pair of the near device to one of a client of the far device. */
  private RawQp connect(Rig to) {
    RawQp near = devices.near.qp(devices.near.cq(6));
    RawQp far = to.qp(to.cq(6));
    near.connect(far.number(), TwoDevices.to(TwoDevices.FAR));
    far.connect(near.number(), TwoDevices.to(TwoDevices.NEAR));
    return near;
  }

  /** A client of the far device with a slow page, and a queue pair of the near one that writes. */
  private final class Slow implements AutoCloseable {
    final Rig rig = client();
    final SlowPage page = new SlowPage(devices.far, rig);
    final RawQp writer = connect(rig);

    void write(long offset) {
      writer.post(
          new Wqe(WqeOpcode.RDMA_WRITE)
              .remote(OtherProcess.BASE + offset, page.key().rkey())
              .data(source, 0, TEXT.length));
      devices.near.settle();
    }

    void expectText(long offset) {
      assertThat(page.memory().bytes(offset, TEXT.length)).isEqualTo(TEXT);
    }

    @Override
    public void close() throws InterruptedException {
      page.close();
      rig.close();
    }
  }

  private void writeToTheOther(int offset) {
    source.put(0, TEXT);
    toOther.post(Wqe.write(others, offset).data(source, 0, TEXT.length));
    devices.near.settle();
  }

  private void expectTheOtherToWork(int offset) {
    writeToTheOther(offset);
    expectWritten(offset);
  }

  private void expectWritten(int offset) {
    devices.settle();
    toOther.sends().pollOne().require(CqeOpcode.REQ, offset / TEXT.length);
    assertThat(others.bytes(offset, TEXT.length)).isEqualTo(TEXT);
  }

  @AfterEach
  void close() throws InterruptedException {
    slow.close();
    other.close();
    devices.close();
  }

  @Test
  void othersContinueWhileADeliveryWaits() throws InterruptedException {
    source.put(0, TEXT);
    slow.write(0);
    slow.page.stick();
    slow.write(16);
    expectTheOtherToWork(0);
    assertThat(slow.page.copies()).isEqualTo(1);
    assertThat(TwoDevices.network(devices.far)).contains("rx_client_busy 1");
    slow.page.unstick();
    // The packet that was dropped meanwhile is sent again.
    devices.settle();
    devices.pass(TimeUnit.SECONDS.toNanos(10));
    assertThat(slow.writer.sends().poll())
        .hasSize(2)
        .allSatisfy(cqe -> assertThat(cqe.opcode()).isEqualTo(CqeOpcode.REQ));
    slow.expectText(0);
    slow.expectText(16);
  }

  @Test
  void packetsThatWereReceivedWithTheWaitingOneAreDeliveredAtOnce() throws InterruptedException {
    source.put(0, TEXT);
    slow.write(0);
    writeToTheOther(0);
    slow.page.stick();
    expectWritten(0);
    slow.page.unstick();
    devices.settle();
    slow.writer.sends().pollOne().require(CqeOpcode.REQ, 0);
    slow.expectText(0);
  }

  @Test
  void severalDeliveriesWaitAtOnceAndKeepTheirPayload() throws InterruptedException {
    try (Slow second = new Slow();
        Slow third = new Slow()) {
      source.put(0, TEXT);
      slow.write(0);
      slow.page.stick();
      second.write(0);
      second.page.stick();
      expectTheOtherToWork(0);
      slow.page.unstick();
      expectTheOtherToWork(16);
      third.write(0);
      third.page.stick();
      expectTheOtherToWork(32);
      second.page.unstick();
      third.page.unstick();
      devices.settle();
      slow.expectText(0);
      second.expectText(0);
      third.expectText(0);
    }
  }
}
