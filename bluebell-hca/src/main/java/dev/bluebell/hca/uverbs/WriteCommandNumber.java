package dev.bluebell.hca.uverbs;

/**
 * Numbers of write commands, in the order in which the kernel has them. Mirrors {@code
 * rdma/ib_user_verbs.h: ib_uverbs_write_cmds}, without the {@code IB_USER_VERBS_CMD_} of its names.
 */
public final class WriteCommandNumber {
  public static final int ALLOC_PD = 3;
  public static final int CREATE_AH = 5;
  public static final int REG_MR = 9;

  private WriteCommandNumber() {}
}
