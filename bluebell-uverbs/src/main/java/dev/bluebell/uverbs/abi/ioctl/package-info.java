/**
 * The methods that ioctls call. One class a method, holding its attributes, named after the public
 * headers' {@code UVERBS_ATTR_*} and {@code MLX5_IB_ATTR_*}.
 */
@NullMarked
package dev.bluebell.uverbs.abi.ioctl;

import org.jspecify.annotations.NullMarked;
