package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.HcaMemory;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.HcaUar;
import dev.bluebell.hca.HcaUmem;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.doorbell.Uar;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WaitValueSegment;
import dev.bluebell.hca.wqe.WqeForm;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.option.LossOptions;
import dev.bluebell.softnic.rig.Addresses;
import dev.bluebell.softnic.rig.Heard;
import dev.bluebell.softnic.rig.MappedFile;
import dev.bluebell.softnic.rig.RawCq;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.RawXrcSrq;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
      pair.left()
          .sends()
          .pollOne()
          .requireError(Syndrome.TRANSPORT_RETRY_EXC_ERR, 0, "a mapped file was truncated");
      key.close();
    }
  }

  private static Wqe request(String kind, long gone, HcaMemory key, RawMemory there) {
    Wqe write = new Wqe(WqeOpcode.RDMA_WRITE);
    Wqe read = new Wqe(WqeOpcode.RDMA_READ);
    return switch (kind) {
      case "WRITE to it" -> write.remote(gone, key.rkey()).data(there, 0, 4096);
      case "small WRITE to it" -> write.remote(gone, key.rkey()).data(there, 0, 32);
      case "inline WRITE to it" -> write.remote(gone, key.rkey()).inline(new byte[16]);
      case "WRITE from it" ->
          write.remote(there.address(0), there.key()).data(gone, 4096, key.lkey());
      case "SEND from it" -> Wqe.send().data(gone, 4096, key.lkey());
      case "READ from it" -> read.remote(gone, key.rkey()).data(there, 0, 4096);
      default -> read.remote(there.address(0), there.key()).data(gone, 4096, key.lkey());
    };
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "WRITE to it",
        "small WRITE to it",
        "inline WRITE to it",
        "WRITE from it",
        "SEND from it",
        "READ from it",
        "READ to it"
      })
  void aRequestThatMeetsVanishedMemoryFailsAlone(String kind, @TempDir Path directory)
      throws IOException {
    try (MappedFile file = new MappedFile(directory, BYTES);
        Rig rig = Rigs.open()) {
      MemorySegment mapped = file.memory();
      HcaMemory key =
          rig.nic().registerMemory(rig.domain(), mapped, mapped.address(), HcaAccess.ALL);
      RawMemory memory = rig.memory(BYTES).fill(1);
      RawPair pair = rig.pair(new Settings().timeout(1).retryCount(1));
      RawPair other = rig.pair();
      pair.right().receive(memory.address(0), 4096, memory.key());
      file.truncate();
      pair.left().post(request(kind, mapped.address(), key, memory));
      other.left().post(Wqe.write(memory, 0).data(memory, 4096, 8));
      for (int i = 0; i < 3; i++) {
        rig.pass(20_000);
      }
      other.left().sends().pollOne().require(CqeOpcode.REQ, 0);
      RawCqe done = pair.left().sends().pollOne();
      // Compiled code may get the JVM's error after the completion was written (M94).
      if (done.isError()) {
        done.requireError(Syndrome.TRANSPORT_RETRY_EXC_ERR, 0, "a mapped file was truncated");
      }
      assertThat(pair.right().state()).isEqualTo(QpState.RTS);
      key.close();
    }
  }

  /** A client of a device, with a file in which its queues lie, until that vanishes. */
  private static final class Fragile implements AutoCloseable {
    final MappedFile file;
    final Rig rig;
    final HcaUmem umem;
    final RawMemory memory;

    Fragile(Path directory, Rig device) throws IOException {
      file = new MappedFile(directory, BYTES);
      rig = client(device);
      umem = rig.nic().registerUmem(file.memory());
      memory = rig.memory(BYTES);
    }

    /** A queue pair of which one part is in the file. */
    RawQp qp(String part, ServiceType service) {
      RawCq inside = RawCq.at(rig, 4, umem);
      RawQpPlan plan =
          switch (part) {
            case "CQ" -> new RawQpPlan(rig.cq(4)).receiveCompletions(inside);
            case "SEND CQ" -> new RawQpPlan(inside).receiveCompletions(rig.cq(4));
            default ->
                new RawQpPlan(rig.cq(4))
                    .change(qpc -> qpc.set(Qpc.DBR_UMEM_ID, umem.number()).set(Qpc.DBR_ADDR, 4096));
          };
      return rig.qp(plan.service(service.code()));
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }

  private static Rig client(Rig device) {
    return new Rig((SoftNic) device.nic().hosting().orElseThrow().openClient(), device.clock());
  }

  /** Inline data is sent as a packet, other data cuts through. */
  private static Wqe message(RawQp to, ServiceType service, boolean inline, RawMemory from) {
    Wqe wqe = service == ServiceType.UD ? Wqe.datagram(to, Addresses.LINK_LOCAL) : Wqe.send();
    return inline ? wqe.inline(new byte[16]) : wqe.data(from, 0, 16);
  }

  @ParameterizedTest
  @CsvSource({
    "CQ, RC, false",
    "CQ, RC, true",
    "CQ, UC, true",
    "CQ, UD, false",
    "CQ, UD, true",
    "RECORD, RC, false",
    "RECORD, RC, true",
    "RECORD, UC, true",
    "RECORD, UD, false",
    "RECORD, UD, true",
  })
  void aReceiverWhoseQueueVanishedEndsAlone(
      String part, ServiceType service, boolean inline, @TempDir Path directory)
      throws IOException {
    try (Rig device = Rigs.open();
        Fragile fragile = new Fragile(directory, device)) {
      Rig rig = client(device);
      RawMemory memory = rig.memory(64);
      RawQp receiver = fragile.qp(part, service);
      RawQp sender = rig.qp(new RawQpPlan(rig.cq(4)).service(service.code()));
      RawPair.connect(sender, receiver, new Settings().timeout(1).retryCount(1));
      if (part.equals("CQ")) {
        receiver.receive(fragile.memory.address(0), 256, fragile.memory.key());
      }
      fragile.file.truncate();
      for (int i = 0; i < 5; i++) {
        sender.post(message(receiver, service, inline, memory));
        device.settle();
      }
      for (int i = 0; i < 4; i++) {
        device.pass(20_000);
      }
      assertThat(receiver.state()).isEqualTo(QpState.ERR);
      assertThat(device.explanations())
          .anyMatch(
              line ->
                  line.contains("memory that QP 0x%x".formatted(receiver.number()))
                      && line.contains("was truncated"))
          .noneMatch(line -> line.contains("memory that QP 0x%x".formatted(sender.number())));
      assertThat(sender.sends().poll()).hasSize(5);
      assertThat(sender.state()).isEqualTo(service == ServiceType.RC ? QpState.ERR : QpState.RTS);
    }
  }

  @Test
  void aResponderIsNotHurtByTheVanishedQueueOfItsRequester(@TempDir Path directory)
      throws IOException {
    try (Rig device = Rigs.open();
        Fragile fragile = new Fragile(directory, device)) {
      Rig rig = client(device);
      RawMemory memory = rig.memory(64);
      RawQp requester = fragile.qp("SEND CQ", ServiceType.RC);
      RawQp responder = rig.qp(rig.cq(4));
      RawPair.connect(requester, responder, new Settings());
      fragile.file.truncate();
      requester.post(Wqe.fetchAndAdd(memory, 0, 1).data(fragile.memory, 0, 8));
      device.settle();
      assertThat(requester.state()).isEqualTo(QpState.ERR);
      assertThat(responder.state()).isEqualTo(QpState.RTS);
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

  /** A completion queue with only its doorbell record in a umem. */
  private static RawCq recordedIn(HcaUmem umem, Rig rig) {
    return new RawCq(
        rig, 4, rig.uar(), cqc -> cqc.set(Cqc.DBR_UMEM_ID, umem.number()).set(Cqc.DBR_ADDR, 0));
  }

  @Test
  void aQueueWhoseRecordVanishedIsDestroyed(@TempDir Path directory) throws IOException {
    try (Rig device = Rigs.open();
        Fragile fragile = new Fragile(directory, device)) {
      HcaUmem umem = fragile.rig.nic().registerUmem(fragile.file.memory());
      RawCq cq = recordedIn(umem, fragile.rig);
      RawQp qp = fragile.qp("RECORD", ServiceType.RC);
      qp.connect(qp.number(), new Settings());
      fragile.file.truncate();
      qp.object().close();
      cq.object().close();
      umem.close();
    }
  }

  @Test
  void aQueuePairWithCompletionsForAVanishedQueueIsDestroyed(@TempDir Path directory)
      throws IOException {
    try (Rig device = Rigs.open();
        Fragile fragile = new Fragile(directory, device)) {
      RawCq cq = RawCq.at(fragile.rig, 4, fragile.umem, cqc -> cqc.set(Cqc.CQE_COMP_EN, true));
      RawQp qp = fragile.rig.qp(new RawQpPlan(cq).service(ServiceType.RC.code()));
      qp.connect(qp.number(), new Settings());
      for (int i = 0; i < 3; i++) {
        qp.post(Wqe.write(fragile.memory, 0).data(fragile.memory, 8, 8));
      }
      device.nic().step();
      fragile.file.truncate();
      qp.object().close();
      cq.object().close();
    }
  }

  @Test
  void aCommandThatMeetsAVanishedRecordIsRefused(@TempDir Path directory) throws IOException {
    try (Rig device = Rigs.open();
        Fragile fragile = new Fragile(directory, device)) {
      RawCq cq = recordedIn(fragile.umem, fragile.rig);
      RawQp qp = fragile.qp("RECORD", ServiceType.RC);
      fragile.file.truncate();
      for (Runnable command :
          List.<Runnable>of(
              cq::query, () -> cq.resize(5), () -> qp.connect(qp.number(), new Settings()))) {
        HcaException refused = Rig.refused(command::run);
        assertThat(refused.status()).isEqualTo(CommandStatus.INT_ERR);
        assertThat(refused).hasMessageContaining("a mapped file was truncated");
      }
    }
  }

  @Test
  void objectsWhoseRecordsVanishedAreListed(@TempDir Path directory) throws IOException {
    try (Rig device = Rigs.open();
        Fragile fragile = new Fragile(directory, device)) {
      int cqn = recordedIn(fragile.umem, fragile.rig).number();
      int qpn = fragile.qp("RECORD", ServiceType.RC).number();
      fragile.file.truncate();
      List<String> objects = device.nic().diagnosis().orElseThrow().objects();
      Heard.addAll(objects);
      assertThat(objects)
          .anyMatch(
              line ->
                  line.startsWith("CQ 0x%x: ".formatted(cqn))
                      && line.contains("a mapped file was truncated"))
          .anyMatch(
              line ->
                  line.startsWith("QP 0x%x: ".formatted(qpn))
                      && line.contains("a mapped file was truncated"));
    }
  }

  @Test
  void aReceiveThatAMessageLeftServesNoMessageToAnotherXrcQueue(@TempDir Path directory)
      throws IOException {
    try (MappedFile file = new MappedFile(directory, BYTES);
        Rig device = Rigs.open()) {
      Rig one = client(device);
      Rig other = client(device);
      HcaObject xrcd = RawXrcSrq.domain(one);
      MemorySegment mapped = file.memory();
      HcaMemory key =
          one.nic().registerMemory(one.domain(), mapped, mapped.address(), HcaAccess.ALL);
      RawXrcSrq fragile = new RawXrcSrq(one, xrcd);
      RawXrcSrq whole = new RawXrcSrq(other, xrcd);
      RawMemory memory = other.memory(64);
      RawQp target = RawXrcSrq.target(one, xrcd);
      RawQp initiator = RawXrcSrq.initiator(other);
      Settings settings = new Settings().timeout(1).retryCount(0);
      RawPair.connect(initiator, target, settings);
      fragile.receive(mapped.address(), 64, key.lkey());
      whole.receive(memory.address(0), 64, memory.key());
      file.truncate();
      initiator.post(Wqe.send().xrc(fragile.number()).inline(new byte[16]));
      device.settle();
      device.pass(20_000);
      initiator.sends().pollOne().requireError(Syndrome.TRANSPORT_RETRY_EXC_ERR, 0);
      initiator.reset();
      initiator.connect(target.number(), settings);
      initiator.post(Wqe.send().xrc(whole.number()).inline(new byte[] {1, 2, 3, 4}));
      device.settle();
      initiator.sends().pollOne().require(CqeOpcode.REQ, 0);
      whole.cq().pollOne().require(CqeOpcode.RESP_SEND, 0);
      assertThat(memory.bytes(0, 4)).containsExactly(1, 2, 3, 4);
      assertThat(fragile.cq().peek()).isEmpty();
    }
  }
}
