package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.HcaMemory;
import dev.bluebell.hca.HcaUar;
import dev.bluebell.hca.HcaUmem;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.doorbell.Uar;
import dev.bluebell.hca.wqe.WaitValueSegment;
import dev.bluebell.hca.wqe.WqeForm;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.option.LossOptions;
import dev.bluebell.softnic.rig.MappedFile;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Registered memory of a mapped file that is truncated. */
class VanishedMemoryTest {
  private static final int BYTES = 1 << 16;

  @Test
  void vanishedMemoryCostsOnlyThePacketsThatMeetItOnALossyFabric(@TempDir Path directory)
      throws IOException {
    try (MappedFile file = new MappedFile(directory, BYTES);
        Rig rig = Rigs.open(LossOptions.none(7).withDelayNanos(20_000))) {
      MemorySegment mapped = file.memory();
      HcaMemory key =
          rig.nic().registerMemory(rig.domain(), mapped, mapped.address(), HcaAccess.ALL);
      RawMemory memory = rig.memory(BYTES).fill(1);
      RawPair pair = rig.pair(new Settings().timeout(5).retryCount(1));
      RawPair other = rig.pair();
      file.truncate();
      pair.left()
          .post(
              new Wqe(WqeOpcode.RDMA_WRITE)
                  .remote(mapped.address(), key.rkey())
                  .data(memory, 0, 4096));
      other.left().post(Wqe.write(memory, 0).data(memory, 4096, 8));
      for (int i = 0; i < 20; i++) {
        rig.pass(20_000);
      }
      other.left().sends().pollOne().require(CqeOpcode.REQ, 0);
      pair.left().sends().pollOne().requireError(Syndrome.TRANSPORT_RETRY_EXC_ERR, 0);
      assertThat(rig.explanations())
          .anyMatch(
              line ->
                  line.contains("RDMA_WRITE from QP 0x%x".formatted(pair.left().number()))
                      && line.contains("was truncated"));
      key.close();
    }
  }

  @Test
  void vanishedMemoryEndsOnlyTheQueuePairThatMeetsIt(@TempDir Path directory) throws IOException {
    try (MappedFile file = new MappedFile(directory, BYTES);
        Rig rig = Rigs.open()) {
      MemorySegment mapped = file.memory();
      HcaMemory key =
          rig.nic().registerMemory(rig.domain(), mapped, mapped.address(), HcaAccess.ALL);
      RawMemory memory = rig.memory(BYTES).fill(1);
      RawPair pair = rig.pair();
      RawPair other = rig.pair();
      file.truncate();
      for (int bytes : new int[] {32, 4096}) {
        pair.left()
            .write(
                new Wqe(WqeOpcode.RDMA_WRITE)
                    .remote(mapped.address(), key.rkey())
                    .data(memory, 0, bytes));
      }
      pair.left().writeRecord();
      pair.left().ring(0);
      other.left().post(Wqe.write(memory, 0).data(memory, 4096, 8));
      rig.settle();
      other.left().sends().pollOne().require(CqeOpcode.REQ, 0);
      assertThat(pair.left().state()).isEqualTo(QpState.ERR);
      assertThat(rig.explanations())
          .anyMatch(
              line ->
                  line.contains("QP 0x%x".formatted(pair.left().number()))
                      && line.contains("was truncated"));
      key.close();
    }
  }

  @Test
  void aQueuePairThatWaitsForAValueInVanishedMemoryEndsAlone(@TempDir Path directory)
      throws IOException {
    try (MappedFile file = new MappedFile(directory, BYTES);
        Rig rig = Rigs.open()) {
      MemorySegment mapped = file.memory();
      HcaMemory key =
          rig.nic().registerMemory(rig.domain(), mapped, mapped.address(), HcaAccess.ALL);
      RawMemory memory = rig.memory(BYTES).fill(1);
      RawPair pair = rig.pair();
      RawPair other = rig.pair();
      pair.left()
          .post(
              Wqe.awaitValue(
                  WqeForm.WAIT_ON_DATA,
                  WaitValueSegment.EQUAL,
                  key.lkey(),
                  mapped.address(),
                  1,
                  -1));
      rig.settle();
      file.truncate();
      other.left().post(Wqe.write(memory, 0).data(memory, 4096, 8));
      rig.settle();
      other.left().sends().pollOne().require(CqeOpcode.REQ, 0);
      assertThat(pair.left().state()).isEqualTo(QpState.ERR);
      key.close();
    }
  }

  @Test
  void aFailedQueuePairWhoseDoorbellRecordVanishedStopsNoOther(@TempDir Path directory)
      throws IOException {
    try (MappedFile file = new MappedFile(directory, BYTES);
        Rig rig = Rigs.open()) {
      MemorySegment mapped = file.memory();
      HcaUmem umem = rig.nic().registerUmem(mapped);
      RawMemory memory = rig.memory(BYTES).fill(1);
      RawQp doomed =
          rig.qp(
              new RawQpPlan(rig.cq(4))
                  .change(qpc -> qpc.set(Qpc.DBR_UMEM_ID, umem.number()).set(Qpc.DBR_ADDR, 0)));
      doomed.connect(doomed.number(), new Settings());
      doomed.toError();
      RawPair other = rig.pair();
      rig.settle();
      file.truncate();
      other.left().post(Wqe.write(memory, 0).data(memory, 4096, 8));
      rig.settle();
      other.left().sends().pollOne().require(CqeOpcode.REQ, 0);
      assertThat(rig.explanations())
          .anyMatch(
              line ->
                  line.contains("QP 0x%x".formatted(doomed.number()))
                      && line.contains("no longer flushed"));
    }
  }

  @Test
  void aUarPageThatTheKernelDoesNotProvideStopsNoOtherPage(@TempDir Path directory)
      throws IOException {
    try (MappedFile file = new MappedFile(directory, Uar.PAGE_BYTES);
        Rig rig = Rigs.open()) {
      MemorySegment mapped = file.memory();
      HcaUar page = rig.nic().hosting().orElseThrow().allocateUar(mapped);
      RawMemory memory = rig.memory(BYTES).fill(1);
      RawQp doomed = rig.qp(new RawQpPlan(rig.cq(4)).uar(page));
      doomed.connect(doomed.number(), new Settings());
      RawPair other = rig.pair();
      file.truncate();
      other.left().post(Wqe.write(memory, 0).data(memory, 4096, 8));
      rig.settle();
      other.left().sends().pollOne().require(CqeOpcode.REQ, 0);
      assertThat(rig.explanations())
          .anyMatch(
              line ->
                  line.contains("UAR page %d".formatted(page.number()))
                      && line.contains("the device no longer starts queues from this page"));
    }
  }
}
