package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.wqe.TransposeSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.OtherProcess;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** LOCAL_MMO, by which UCC's all-to-all exchanges rows and columns. */
class TranspositionTest {
  private static final int BYTES = 8 << 10;

  private final Rig rig = Rigs.open();
  private final RawMemory source = rig.memory(BYTES).fill(7);
  private final RawMemory target = rig.memory(BYTES);

  @AfterEach
  void close() {
    source.expectCanaries();
    target.expectCanaries();
    rig.close();
  }

  private static Wqe transposition(int rows, int columns, int element) {
    return new Wqe(WqeOpcode.LOCAL_MMO)
        .words(
            TransposeSegment.ELEMENT_SIZE.place(element)
                | TransposeSegment.COLUMNS.place(columns)
                | TransposeSegment.ROWS.place(rows),
            0);
  }

  private RawCqe run(Wqe wqe) {
    RawQp qp = rig.qp(rig.cq(4));
    qp.connect(qp.number(), new Settings());
    qp.post(wqe);
    rig.settle();
    return qp.sends().pollOne();
  }

  private static byte[] transposed(byte[] matrix, int rows, int columns, int element) {
    byte[] result = new byte[matrix.length];
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < columns; column++) {
        System.arraycopy(
            matrix,
            (row * columns + column) * element,
            result,
            (column * rows + row) * element,
            element);
      }
    }
    return result;
  }

  /** The largest that UCC's own tests find to fit a ConnectX-7 are among them. */
  @ParameterizedTest
  @CsvSource({
    "1, 1, 1",
    "7, 5, 3",
    "64, 5, 8",
    "64, 16, 8",
    "1, 64, 128",
    "64, 1, 128",
    "32, 32, 8",
    "7, 32, 3",
    "64, 1, 1"
  })
  void rowsAndColumnsAreExchanged(int rows, int columns, int element) {
    int bytes = rows * columns * element;
    RawCqe done =
        run(transposition(rows, columns, element).data(source, 0, bytes).data(target, 0, bytes));
    assertThat(done.require(CqeOpcode.REQ, 0).sendOpcode()).isEqualTo(WqeOpcode.LOCAL_MMO);
    assertThat(target.bytes(0, bytes))
        .isEqualTo(transposed(source.bytes(0, bytes), rows, columns, element));
    assertThat(Arrays.copyOfRange(target.bytes(), bytes, BYTES)).isEqualTo(new byte[BYTES - bytes]);
  }

  @Test
  void aMatrixCanBeTransposedInItsPlace() {
    byte[] before = source.bytes(0, 60);
    run(transposition(5, 4, 3).data(source, 0, 60).data(source, 0, 60)).require(CqeOpcode.REQ, 0);
    assertThat(source.bytes(0, 60)).isEqualTo(transposed(before, 5, 4, 3));
  }

  @Test
  void memoryOfAnotherProcessIsTransposed() {
    OtherProcess other = new OtherProcess(rig, 64);
    byte[] matrix = new byte[24];
    for (int i = 0; i < matrix.length; i++) {
      matrix[i] = (byte) (i + 1);
    }
    int key = other.put(0, matrix).register(HcaAccess.LOCAL_WRITE).lkey();
    run(transposition(2, 3, 4)
            .data(OtherProcess.BASE, 24, key)
            .data(OtherProcess.BASE + 32, 24, key))
        .require(CqeOpcode.REQ, 0);
    assertThat(other.bytes(32, 24)).isEqualTo(transposed(matrix, 2, 3, 4));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1, 1",
    "1, 0, 1",
    "1, 1, 0",
    "65, 1, 1",
    "1, 65, 1",
    "1, 1, 129",
    "64, 17, 8",
    "64, 2, 128",
    "64, 5, 128"
  })
  void aMatrixThatTheHardwareHasNoRoomForIsRefused(int rows, int columns, int element) {
    int bytes = Math.clamp((long) rows * columns * element, 1, BYTES);
    run(transposition(rows, columns, element).data(source, 0, bytes).data(target, 0, bytes))
        .requireError(Syndrome.LOCAL_QP_OP_ERR, 0, "num_rows %d".formatted(rows), "64 rows");
    assertThat(target.bytes()).containsOnly(0);
  }

  @Test
  void segmentsThatDoNotHoldTheMatrixAreRefused() {
    run(transposition(2, 2, 4).data(source, 0, 15).data(target, 0, 15))
        .requireError(Syndrome.LOCAL_LENGTH_ERR, 0, "byte_count 15", "2 rows", "16");
    String sentence = "opcode LOCAL_MMO needs exactly two data segments with the same byte_count";
    for (Wqe wrong :
        List.of(
            transposition(2, 2, 4),
            transposition(2, 2, 4).data(source, 0, 16),
            transposition(2, 2, 4).data(source, 0, 16).data(target, 0, 8))) {
      run(wrong).requireError(Syndrome.LOCAL_LENGTH_ERR, 0, sentence);
    }
  }

  @Test
  void keysThatDoNotAllowTheAccessAreRefusedBeforeAByteIsWritten() {
    RawMemory closed = rig.memory(64, HcaAccess.REMOTE_READ);
    run(transposition(2, 2, 4).data(source, 0, 16).data(closed, 0, 16))
        .requireError(Syndrome.LOCAL_PROT_ERR, 0, "does not grant LOCAL_WRITE");
    assertThat(closed.bytes()).containsOnly(0);
    run(transposition(2, 2, 4).data(source, BYTES - 8, 16).data(target, 0, 16))
        .requireError(Syndrome.LOCAL_PROT_ERR, 0, "data segment 0 (byte_count 16)");
  }
}
