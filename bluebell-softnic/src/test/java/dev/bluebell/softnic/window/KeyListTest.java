package dev.bluebell.softnic.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.MkeyCommands.CreateMkeyIn;
import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.MkeyMask;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.OtherProcess;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawWindow;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Umr;
import dev.bluebell.softnic.rig.Wqe;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Indirect keys: lists, strides, chains, and where their bytes go. */
class KeyListTest {
  private static final int BYTES = 4096;

  private final Rig rig = Rigs.open();
  private final RawMemory first = rig.memory(BYTES).fill(1);
  private final RawMemory second = rig.memory(BYTES).fill(2);
  private final RawMemory plain = rig.memory(BYTES).fill(3);
  private final RawPair pair = rig.pair();
  private final RawQp qp = pair.left();

  @AfterEach
  void close() {
    first.expectCanaries();
    second.expectCanaries();
    plain.expectCanaries();
    rig.close();
  }

  private void execute(Wqe wqe) {
    int index = qp.post(wqe);
    rig.settle();
    qp.sends().pollOne().require(CqeOpcode.REQ, index);
  }

  private void refused(Wqe wqe, int syndrome, Object... words) {
    int index = qp.post(wqe);
    rig.settle();
    qp.sends().pollOne().requireError(syndrome, index, words);
  }

  private static Wqe write(int rkey, long address) {
    return new Wqe(WqeOpcode.RDMA_WRITE).remote(address, rkey);
  }

  private static Wqe read(int rkey, long address) {
    return new Wqe(WqeOpcode.RDMA_READ).remote(address, rkey);
  }

  private RawWindow list() {
    RawWindow list = new RawWindow(rig);
    execute(
        list.layout(300)
            .klm(100, first.key(), first.address(10))
            .klm(0, 0, 0)
            .klm(200, second.key(), second.address(20))
            .wqe());
    return list;
  }

  private byte[] listed() {
    byte[] bytes = Arrays.copyOf(first.bytes(10, 100), 300);
    System.arraycopy(second.bytes(20, 200), 0, bytes, 100, 200);
    return bytes;
  }

  @Test
  void aListGathersWhatItsPiecesHold() {
    RawWindow list = list();
    execute(write(plain.key(), plain.address(0)).data(0, 300, list.key(0)));
    assertThat(plain.bytes(0, 300)).isEqualTo(listed());
    execute(write(plain.key(), plain.address(400)).data(95, 10, list.key(0)));
    assertThat(plain.bytes(400, 10)).isEqualTo(Arrays.copyOfRange(listed(), 95, 105));
  }

  @Test
  void aListScattersWhatAPeerWrites() {
    RawWindow list = list();
    execute(write(list.key(0), 0).data(plain, 0, 300));
    assertThat(listed()).isEqualTo(plain.bytes(0, 300));
  }

  @Test
  void aListIsReadByAPeerAndTakesAnswers() {
    RawWindow list = list();
    execute(read(list.key(0), 50).data(plain, 0, 250));
    assertThat(plain.bytes(0, 250)).isEqualTo(Arrays.copyOfRange(listed(), 50, 300));
    execute(read(plain.key(), plain.address(1000)).data(0, 300, list.key(0)));
    assertThat(listed()).isEqualTo(plain.bytes(1000, 300));
  }

  @Test
  void aListReceivesMessages() {
    RawWindow list = list();
    pair.right().receive(0, 300, list.key(0));
    execute(Wqe.send().data(plain, 0, 300));
    pair.right().receives().pollOne().require(CqeOpcode.RESP_SEND, 0);
    assertThat(listed()).isEqualTo(plain.bytes(0, 300));
  }

  @Test
  void anAtomicMayLieAcrossTwoPieces() {
    RawWindow list = new RawWindow(rig);
    execute(
        list.layout(16)
            .klm(4, first.key(), first.address(0))
            .klm(12, second.key(), second.address(0))
            .wqe());
    first.putLong(0, 0xffff_ffffL);
    second.putLong(0, 7);
    execute(new Wqe(WqeOpcode.ATOMIC_FA).remote(0, list.key(0)).words(1, 0).data(plain, 0, 8));
    assertThat(plain.getLong(0)).isEqualTo(7L << 32 | 0xffff_ffffL);
    assertThat(first.getLong(0) & 0xffff_ffffL).isZero();
    assertThat(second.getLong(0)).isEqualTo(8);
  }

  private RawWindow strides() {
    RawWindow strides = new RawWindow(rig);
    execute(
        strides
            .layout(5 * 24)
            .repeat(24, 5, 2)
            .piece(64, 8, first.key(), first.address(0))
            .piece(32, 16, second.key(), second.address(100))
            .wqe());
    return strides;
  }

  private byte[] strided() {
    ByteBuffer bytes = ByteBuffer.allocate(5 * 24);
    for (int i = 0; i < 5; i++) {
      bytes.put(first.bytes(64L * i, 8)).put(second.bytes(100 + 32L * i, 16));
    }
    return bytes.array();
  }

  @Test
  void stridesGatherAndScatterTurnByTurn() {
    RawWindow strides = strides();
    execute(write(plain.key(), plain.address(0)).data(0, 120, strides.key(0)));
    assertThat(plain.bytes(0, 120)).isEqualTo(strided());
    execute(write(strides.key(0), 0).data(plain, 500, 120));
    assertThat(strided()).isEqualTo(plain.bytes(500, 120));
  }

  @Test
  void aPartOfStridesBeginsAndEndsAnywhere() {
    RawWindow strides = strides();
    for (int from = 0; from < 120; from += 11) {
      for (int bytes = 1; bytes <= 120 - from; bytes += 17) {
        execute(read(strides.key(0), from).data(plain, 0, bytes));
        assertThat(plain.bytes(0, bytes))
            .isEqualTo(Arrays.copyOfRange(strided(), from, from + bytes));
      }
    }
  }

  @Test
  void aLongMessageOfSmallPiecesIsMovedInPackets() {
    int turns = 1 << 15;
    RawMemory large = rig.memory(turns * 4).fill(5);
    RawMemory target = rig.memory(turns);
    RawWindow strides = new RawWindow(rig);
    execute(
        strides.layout(turns).repeat(1, turns, 1).piece(4, 1, large.key(), large.address(0)).wqe());
    execute(write(target.key(), target.address(0)).data(0, turns, strides.key(0)));
    byte[] all = large.bytes();
    byte[] got = target.bytes();
    for (int i = 0; i < turns; i++) {
      assertThat(got[i]).isEqualTo(all[4 * i]);
    }
  }

  // ---- one behind the other

  private RawWindow over(int key, long bytes) {
    RawWindow list = new RawWindow(rig);
    execute(list.layout(bytes).klm((int) bytes, key, 0).wqe());
    return list;
  }

  @Test
  void fourKeysMayFollowOneAnotherAndAFifthIsRefused() {
    RawWindow at = list();
    for (int depth = 2; depth <= 4; depth++) {
      at = over(at.key(0), 300);
    }
    execute(read(at.key(0), 0).data(plain, 0, 300));
    assertThat(plain.bytes(0, 300)).isEqualTo(listed());
    RawWindow fifth = over(at.key(0), 300);
    refused(
        read(fifth.key(0), 0).data(plain, 0, 8),
        Syndrome.REMOTE_ACCESS_ERR,
        "at most 4 keys may follow one another (max_indirection), and a cycle never ends");
  }

  @Test
  void aCircleOfKeysIsRefused() {
    RawWindow one = new RawWindow(rig);
    RawWindow two = over(one.key(0), 64);
    execute(one.layout(64).klm(64, two.key(0), 0).wqe());
    refused(
        write(plain.key(), plain.address(0)).data(0, 8, one.key(0)),
        Syndrome.LOCAL_PROT_ERR,
        "max_indirection");
  }

  @Test
  void aPieceThatItsKeyDoesNotHoldIsRefusedAndNothingIsMoved() {
    RawWindow list = new RawWindow(rig);
    execute(
        list.layout(128)
            .klm(64, first.key(), first.address(0))
            .klm(64, second.key(), second.address(BYTES - 32))
            .wqe());
    byte[] before = first.bytes();
    refused(
        write(list.key(0), 0).data(plain, 0, 128),
        Syndrome.REMOTE_ACCESS_ERR,
        "entry 1 of the translation of memory key 0x%x refuses".formatted(list.key(0)),
        "reaches outside the region of mkey 0x%x".formatted(second.key()));
    assertThat(first.bytes()).isEqualTo(before);
  }

  @Test
  void aKeyThatIsLongerThanItsEntriesIsRefusedWhereTheyEnd() {
    RawWindow list = new RawWindow(rig);
    execute(list.layout(100).klm(64, first.key(), first.address(0)).wqe());
    execute(read(list.key(0), 0).data(plain, 0, 64));
    refused(
        read(list.key(0), 60).data(plain, 0, 8),
        Syndrome.REMOTE_ACCESS_ERR,
        "end 4 bytes before the access does: len of its context");
  }

  @Test
  void aKeyWhoseEntriesAreAllEmptyIsRefusedFromItsStart() {
    RawWindow list = list();
    byte[] before = listed();
    execute(list.layout(300).klm(0, 0, 0).wqe());
    refused(
        write(list.key(0), 0).data(plain, 0, 100),
        Syndrome.REMOTE_ACCESS_ERR,
        "end 100 bytes before the access does: len of its context");
    assertThat(listed()).isEqualTo(before);
  }

  @Test
  void aKeyOfAnotherDomainIsNotReachedByAnEntry() {
    HcaObject domain = rig.nic().allocateProtectionDomain();
    RawMemory alien = rig.memory(domain, 64, HcaAccess.ALL);
    RawWindow list = new RawWindow(rig);
    execute(list.layout(64).klm(64, alien.key(), alien.address(0)).wqe());
    refused(
        write(list.key(0), 0).data(plain, 0, 64),
        Syndrome.REMOTE_ACCESS_ERR,
        "mkey 0x%x belongs to protection domain 0x%x".formatted(alien.key(), domain.number()));
    assertThat(alien.bytes()).containsOnly(0);
  }

  @Test
  void entriesMayNameMemoryOfOtherProcesses() {
    OtherProcess process = new OtherProcess(rig, 256);
    int key = process.register(HcaAccess.ALL).lkey();
    RawWindow list = new RawWindow(rig);
    execute(
        list.layout(128)
            .klm(64, first.key(), first.address(0))
            .klm(64, key, OtherProcess.BASE + 8)
            .wqe());
    execute(write(list.key(0), 0).data(plain, 0, 128));
    assertThat(first.bytes(0, 64)).isEqualTo(plain.bytes(0, 64));
    assertThat(process.bytes(8, 64)).isEqualTo(plain.bytes(64, 64));
    execute(read(list.key(0), 32).data(plain, 1000, 64));
    assertThat(plain.bytes(1000, 64)).isEqualTo(plain.bytes(32, 64));
  }

  @Test
  void aLayoutTakesThePlaceOfTheOneBefore() {
    RawWindow list = list();
    execute(list.layout(64).klm(64, second.key(), second.address(0)).wqe());
    execute(read(list.key(0), 0).data(plain, 0, 64));
    assertThat(plain.bytes(0, 64)).isEqualTo(second.bytes(0, 64));
    execute(list.layout(32).repeat(8, 4, 1).piece(16, 8, first.key(), first.address(0)).wqe());
    execute(read(list.key(0), 8).data(plain, 0, 8));
    assertThat(plain.bytes(0, 8)).isEqualTo(first.bytes(16, 8));
    execute(list.layout(64).klm(64, second.key(), second.address(0)).wqe());
    execute(read(list.key(0), 0).data(plain, 0, 64));
    assertThat(plain.bytes(0, 64)).isEqualTo(second.bytes(0, 64));
  }

  // ---- keys that commands make whole

  private View pages(int given) {
    View command = RawWindow.command(rig, 4, given);
    command
        .at(CreateMkeyIn.MEMORY_KEY_MKEY_ENTRY)
        .set(Mkc.ACCESS_MODE_1_0, Mkc.ACCESS_MODE_KSM)
        .set(Mkc.FREE, false)
        .set(Mkc.RW, true)
        .set(Mkc.RR, true)
        .set(Mkc.LOG_PAGE_SIZE, 10)
        .set(Mkc.START_ADDR, 0x5000)
        .set(Mkc.LEN, 2048);
    ByteBuffer entries = ByteBuffer.wrap(command.bytes());
    entries.position(CreateMkeyIn.STRUCTURE.bytes());
    entries.putLong(first.key() & 0xffffffffL).putLong(first.address(0));
    entries.putLong(second.key() & 0xffffffffL).putLong(second.address(1024));
    return command;
  }

  @Test
  void aKeyOfPagesIsMadeByACommand() {
    HcaObject key = rig.nic().create(pages(2).bytes());
    execute(read(key.number() << 8, 0x5000 + 1000).data(plain, 0, 100));
    assertThat(plain.bytes(0, 24)).isEqualTo(first.bytes(1000, 24));
    assertThat(plain.bytes(24, 76)).isEqualTo(second.bytes(1024, 76));
    key.close();
  }

  @Test
  void aUmrReplacesThePagesOfAKeyUpToTheFirstZeroEntry() {
    HcaObject key = rig.nic().create(pages(2).bytes());
    execute(
        new Umr(key.number() << 8)
            .flags(0x80)
            .mask(0)
            .entry(second.key() & 0xffffffffL, second.address(0))
            .wqe());
    execute(read(key.number() << 8, 0x5000).data(plain, 0, 100));
    assertThat(plain.bytes(0, 100)).isEqualTo(second.bytes(0, 100));
    refused(
        read(key.number() << 8, 0x5000 + 1000).data(plain, 0, 100),
        Syndrome.REMOTE_ACCESS_ERR,
        "end 76 bytes before");
  }

  @Test
  void aUmrThatChangesThePageSizeChangesWhereThePagesBegin() {
    HcaObject key = rig.nic().create(pages(2).bytes());
    execute(
        new Umr(key.number() << 8)
            .flags(0x80)
            .mask(MkeyMask.PAGE_SIZE)
            .context(mkc -> mkc.set(Mkc.LOG_PAGE_SIZE, 9))
            .wqe());
    execute(read(key.number() << 8, 0x5000 + 500).data(plain, 0, 100));
    assertThat(plain.bytes(0, 12)).isEqualTo(first.bytes(500, 12));
    assertThat(plain.bytes(12, 88)).isEqualTo(second.bytes(1024, 88));
    refused(
        read(key.number() << 8, 0x5000 + 1000).data(plain, 0, 100),
        Syndrome.REMOTE_ACCESS_ERR,
        "end 76 bytes before");
  }

  private void expectRefused(View command, int status, String words) {
    HcaException refusal = Rig.refused(() -> rig.nic().create(command.bytes()));
    assertThat(refusal.status()).isEqualTo(status);
    assertThat(refusal).hasMessageContaining(words);
  }

  private static View change(View command, dev.bluebell.hca.structure.Field field, long value) {
    command.at(CreateMkeyIn.MEMORY_KEY_MKEY_ENTRY).set(field, value);
    return command;
  }

  @Test
  void malformedCommandsAreRefused() {
    expectRefused(
        pages(2).set(CreateMkeyIn.TRANSLATIONS_OCTWORD_ACTUAL_SIZE, 3),
        CommandStatus.BAD_PARAM,
        "translations_octword_actual_size is 3: the command contains 2 entries");
    expectRefused(
        change(RawWindow.command(rig, 0), Mkc.LEN, 0),
        CommandStatus.BAD_PARAM,
        "translations_octword_size is 0");
    expectRefused(
        RawWindow.command(rig, 1 << 17), CommandStatus.BAD_PARAM, "log_max_klm_list_size");
    expectRefused(
        change(RawWindow.command(rig, 4), Mkc.UMR_EN, 0), CommandStatus.BAD_PARAM, "free is 1");
    View repeat = change(pages(2), Mkc.ACCESS_MODE_1_0, Mkc.ACCESS_MODE_KLM);
    ByteBuffer.wrap(repeat.bytes()).putInt(CreateMkeyIn.STRUCTURE.bytes() + 4, 0x400);
    expectRefused(repeat, CommandStatus.BAD_PARAM, "the first entry is a repeat block");
  }

  @Test
  void allKeysTogetherHaveABoundOfEntries() {
    for (int i = 0; i < 64; i++) {
      rig.nic().create(RawWindow.command(rig, 1 << 16).bytes());
    }
    expectRefused(
        RawWindow.command(rig, 1), CommandStatus.NO_RES, "the memory keys already have 4194304");
  }

  @Test
  void memoryBesideThePiecesOfAKeyIsNotTouched() {
    long before = Memory.getLong(first.address(120));
    execute(write(list().key(0), 0).data(plain, 0, 300));
    assertThat(Memory.getLong(first.address(120))).isEqualTo(before);
  }
}
