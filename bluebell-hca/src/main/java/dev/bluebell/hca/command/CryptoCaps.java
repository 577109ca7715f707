package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/**
 * The structure crypto_caps. Mirrors {@code mlx5_ifc.h: mlx5_ifc_crypto_caps_bits} of rdma-core.
 */
public final class CryptoCaps {
  private static final Structure.Definition D = Structure.define("crypto_caps", 2048);

  public static final Field WRAPPED_CRYPTO_OPERATIONAL =
      D.field("wrapped_crypto_operational", 0x000, 1);
  public static final Field WRAPPED_CRYPTO_GOING_TO_COMMISSIONING =
      D.field("wrapped_crypto_going_to_commissioning", 0x001, 1);
  public static final Field SW_WRAPPED_DEK = D.field("sw_wrapped_dek", 0x002, 1);
  public static final Field SYNCHRONIZE_DEK = D.field("synchronize_dek", 0x003, 1);
  public static final Field INT_KEK_MANUAL = D.field("int_kek_manual", 0x004, 1);
  public static final Field INT_KEK_AUTO = D.field("int_kek_auto", 0x005, 1);
  public static final Field SW_WRAPPED_DEK_KEY_PURPOSE =
      D.field("sw_wrapped_dek_key_purpose", 0x013, 1);
  public static final Field WRAPPED_IMPORT_METHOD = D.field("wrapped_import_method", 0x018, 8);
  public static final Field LOG_DEK_MAX_ALLOC = D.field("log_dek_max_alloc", 0x023, 5);
  public static final Field LOG_MAX_NUM_DEKS = D.field("log_max_num_deks", 0x02b, 5);
  public static final Field LOG_MAX_NUM_IMPORT_KEKS = D.field("log_max_num_import_keks", 0x033, 5);
  public static final Field LOG_MAX_NUM_CREDS = D.field("log_max_num_creds", 0x03b, 5);
  public static final Field FAILED_SELFTESTS = D.field("failed_selftests", 0x040, 16);
  public static final Field NUM_NV_IMPORT_KEKS = D.field("num_nv_import_keks", 0x050, 8);
  public static final Field NUM_NV_CREDENTIALS = D.field("num_nv_credentials", 0x058, 8);
  public static final Field LOG_DEK_GRANULARITY = D.field("log_dek_granularity", 0x063, 5);
  public static final Field LOG_MAX_NUM_INT_KEK = D.field("log_max_num_int_kek", 0x06b, 5);
  public static final Field SW_WRAPPED_DEK_NEW = D.field("sw_wrapped_dek_new", 0x070, 16);
  public static final Field CRYPTO_MMO_QP = D.field("crypto_mmo_qp", 0x100, 1);
  public static final Field CRYPTO_AES_GCM_256_ENCRYPT =
      D.field("crypto_aes_gcm_256_encrypt", 0x101, 1);
  public static final Field CRYPTO_AES_GCM_128_ENCRYPT =
      D.field("crypto_aes_gcm_128_encrypt", 0x102, 1);
  public static final Field CRYPTO_AES_GCM_256_DECRYPT =
      D.field("crypto_aes_gcm_256_decrypt", 0x103, 1);
  public static final Field CRYPTO_AES_GCM_128_DECRYPT =
      D.field("crypto_aes_gcm_128_decrypt", 0x104, 1);
  public static final Field GCM_AUTH_TAG_128 = D.field("gcm_auth_tag_128", 0x105, 1);
  public static final Field GCM_AUTH_TAG_96 = D.field("gcm_auth_tag_96", 0x106, 1);
  public static final Field LOG_CRYPTO_MMO_MAX_SIZE = D.field("log_crypto_mmo_max_size", 0x10a, 6);

  public static final Structure STRUCTURE = D.structure();

  private CryptoCaps() {}
}
