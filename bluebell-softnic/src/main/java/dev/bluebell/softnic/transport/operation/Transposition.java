package dev.bluebell.softnic.transport.operation;

import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.TransposeSegment;
import dev.bluebell.softnic.queue.Fault;
import dev.bluebell.softnic.queue.SendWqe;
import dev.bluebell.softnic.queue.Staging;
import dev.bluebell.softnic.translation.SegmentList;

/**
 * Transposes a matrix from one local memory key to another: LOCAL_MMO with opmod 0. A matrix is
 * small, so all of it is done in one step. Owned by one requester.
 */
final class Transposition implements LocalOperation {
  private final Staging staging;
  private final LocalMove move;
  private final Fault fault;

  /**
   * @param move finds the memory of the current request
   * @param fault set when a request is refused
   */
  Transposition(Staging staging, LocalMove move, Fault fault) {
    this.staging = staging;
    this.move = move;
    this.fault = fault;
  }

  @Override
  public long bytes(SendWqe wqe) {
    return wqe.bytes();
  }

  @Override
  public long execute(SendWqe wqe, int entry, long done, long budget) {
    int element = (int) wqe.operation(TransposeSegment.ELEMENT_SIZE);
    int columns = (int) wqe.operation(TransposeSegment.COLUMNS);
    int rows = (int) wqe.operation(TransposeSegment.ROWS);
    int bytes = wqe.bytes();
    if (!isMatrix(rows, columns, element, bytes) || !move.find(wqe, 0, bytes)) {
      return Progress.REFUSED;
    }
    return transpose(rows, columns, element, bytes) ? bytes : Progress.REFUSED;
  }

  private boolean transpose(int rows, int columns, int element, int bytes) {
    SegmentList source = move.source;
    long from = staging.of(2 * bytes);
    long to = from + bytes;
    if (!source.fetch(from, bytes)) {
      return move.refuseUnreachable(source);
    }
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < columns; column++) {
        Memory.copy(
            from + (long) (row * columns + column) * element,
            to + (long) (column * rows + row) * element,
            element);
      }
    }
    source.clear();
    source.add(to, bytes);
    return source.copyTo(move.target, bytes) || move.refuseUnreachable(move.target);
  }

  private boolean isMatrix(int rows, int columns, int element, int bytes) {
    if (!TransposeSegment.isExecuted(rows, columns, element)) {
      fault.set(
          Syndrome.LOCAL_QP_OP_ERR,
          "num_rows %d, num_cols %d or element_size %d is out of range: a matrix has at most %d rows, %d columns, elements of %d bytes, and %d bytes in total (num_rows × max(%d, num_cols × max(%d, element_size)), both rounded up to powers of two)"
              .formatted(
                  rows,
                  columns,
                  Integer.toUnsignedLong(element),
                  TransposeSegment.MAX_ROWS,
                  TransposeSegment.MAX_ROWS,
                  TransposeSegment.MAX_ELEMENT_BYTES,
                  TransposeSegment.BUFFER_BYTES,
                  TransposeSegment.MIN_ROW_BYTES,
                  TransposeSegment.MIN_ELEMENT_BYTES));
      return false;
    }
    if (bytes != rows * columns * element) {
      fault.set(
          Syndrome.LOCAL_LENGTH_ERR,
          "byte_count %d of the data segments does not match %d rows of %d elements of %d bytes, which need %d"
              .formatted(bytes, rows, columns, element, rows * columns * element));
      return false;
    }
    return true;
  }
}
