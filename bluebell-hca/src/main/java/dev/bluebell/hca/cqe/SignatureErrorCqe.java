package dev.bluebell.hca.cqe;

import dev.bluebell.hca.structure.Field;

/**
 * Fields of a completion that reports wrong signatures, in addition to the last word of {@link
 * Cqe}. Mirrors {@code mlx5dv.h: mlx5_sigerr_cqe}.
 */
public final class SignatureErrorCqe {
  public static final Field EXPECTED_TRANS_SIG = new Field("expected_trans_sig", 128, 32);
  public static final Field ACTUAL_TRANS_SIG = new Field("actual_trans_sig", 160, 32);
  public static final Field EXPECTED_REF_TAG = new Field("expected_ref_tag", 192, 32);
  public static final Field ACTUAL_REF_TAG = new Field("actual_ref_tag", 224, 32);
  public static final Field SIG_SYNDROME = new Field("sig_syndrome", 256, 16);
  public static final Field SIG_TYPE = new Field("sig_type", 277, 3);
  public static final Field DOMAIN = new Field("domain", 285, 3);
  public static final Field MKEY = new Field("mkey", 288, 32);

  /** Offset of the first wrong block in the memory, in bytes. */
  public static final Field SIG_ERR_OFFSET = new Field("sig_err_offset", 320, 64);

  private SignatureErrorCqe() {}
}
