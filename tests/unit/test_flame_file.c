// SPDX-License-Identifier: GPL-2.0-only
/*
 * The .flame file: what is written comes back, every cut and every changed bit is
 * noticed, and records that are wrong under right checksums are refused by name. The
 * folded text of the small recording is worked out by hand in records.h.
 */
/* sources: user/input/[a-z]*.c user/symbol/demangle.c user/output/flame_writer.c user/output/folded.c user/profile/profile.c user/util/mem.c user/util/msg.c user/util/progress.c user/util/text.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>
#include "input/flame_file.h"
#include "input/input.h"
#include "output/flame_writer.h"
#include "output/folded.h"
#include "random.h"
#include "records.h"
#include "util/msg.h"

#define HEADER_TEXT	"host: here\nkernel: 6.1\nstored: nothing much\n"

static const struct input_options plain;

struct image {
	char bytes[1 << 17];
	size_t len;
};

static void load_fd(struct image *image, int fd)
{
	ssize_t n = pread(fd, image->bytes, sizeof(image->bytes), 0);

	assert_true(n >= 0 && (size_t)n < sizeof(image->bytes));
	image->len = (size_t)n;
}

/* Writes the records; a block ends after each of the first @flushes samples. */
static void write_records(struct image *image, const struct record_buf *records,
			  unsigned int flushes)
{
	int fd = memfd_create("flame", MFD_CLOEXEC);
	struct flame_writer *w = flame_writer_new(fd, "test");

	assert_true(fd >= 0);
	assert_true(flame_writer_begin(w, HEADER_TEXT, strlen(HEADER_TEXT)));
	for (size_t at = 0; at < records->len;) {
		const struct flame_rec *rec = (const void *)(records->bytes + at);

		assert_true(flame_writer_add(w, rec));
		if (rec->type == FLAME_REC_SAMPLE && flushes) {
			flushes--;
			assert_true(flame_writer_flush(w));
		}
		at += rec->size;
	}
	assert_true(flame_writer_end(w));
	load_fd(image, fd);
	assert_int_equal(flame_writer_size(w), image->len);
	flame_writer_free(w);
	close(fd);
}

/* One block with these bytes in it, stored plain under right checksums. */
static void seal(struct image *image, const char *raw, size_t len)
{
	struct flame_file_head head = {
		.endian = FLAME_FILE_ENDIAN, .version = FLAME_FILE_VERSION,
		.abi = FLAME_ABI_VERSION,
	};
	struct flame_block_head block = {
		.magic = FLAME_BLOCK_MAGIC, .flags = FLAME_BLOCK_LAST,
		.stored = (uint32_t)len, .raw = (uint32_t)len,
		.crc = (uint32_t)crc32(0, (const Bytef *)raw, (uInt)len),
	};

	memcpy(head.magic, FLAME_FILE_MAGIC, 8);
	head.text_crc = (uint32_t)crc32(0, (const Bytef *)"", 0);
	head.head_crc = (uint32_t)crc32(0, (const Bytef *)&head, 28);
	block.head_crc = (uint32_t)crc32(0, (const Bytef *)&block, 28);
	memcpy(image->bytes, &head, 32);
	memcpy(image->bytes + 32, &block, 32);
	memcpy(image->bytes + 64, raw, len);
	image->len = 64 + len;
}

static struct profile *read_image(const struct image *image, const struct input_options *o)
{
	return input_read_memory("test", image->bytes, image->len, o);
}

static void check_folded(const struct image *image, const struct input_options *o,
			 const char *want)
{
	static const struct folded_options how = { true, true, true };
	struct profile *p = read_image(image, o);
	char *text = NULL;
	size_t size;
	FILE *fp = open_memstream(&text, &size);

	assert_non_null(p);
	folded_write(fp, p, 0, &how);
	fclose(fp);
	assert_string_equal(text, want);
	free(text);
	profile_free(p);
}

static void test_round_trip(void **state)
{
	static struct record_buf records;
	static struct image image;
	struct profile_meta *meta;
	struct profile *p;

	(void)state;
	records.len = 0;
	put_small_recording(&records);
	write_records(&image, &records, 0);
	check_folded(&image, &plain, SMALL_RECORDING);
	p = read_image(&image, &plain);
	meta = profile_meta(p);
	assert_int_equal(meta->frequency, 99);
	assert_int_equal(meta->lost, 3);
	assert_int_equal(meta->missed, 4);
	assert_true(meta->duration_ns == 5000000000);
	assert_string_equal(meta->host, "here");
	assert_string_equal(meta->kernel, "6.1");
	profile_free(p);
}

static void test_options(void **state)
{
	static const struct input_options tid = { .tid = true }, addrs = { .addrs = true };
	static const struct input_options pid = { .pid = true, .no_comm = true };
	static struct record_buf records;
	static struct image image;

	(void)state;
	records.len = 0;
	put_small_recording(&records);
	write_records(&image, &records, 0);
	check_folded(&image, &tid,
		     "a\\x3bb-200/200;[hardirq];[truncated];vfs_read_[k] 1\n"
		     "app-100/101;[truncated];main;[jit] 1\n"
		     "app-100/101;main;app+0x1234;entry_SYSCALL_64_[k];vfs_read_[k] 1\n"
		     "app-100/102;main;app+0x1234;entry_SYSCALL_64_[k];vfs_read_[k] 1\n");
	check_folded(&image, &pid,
		     "100;[truncated];main;[jit] 1\n"
		     "100;main;app+0x1234;entry_SYSCALL_64_[k];vfs_read_[k] 2\n"
		     "200;[hardirq];[truncated];vfs_read_[k] 1\n");
	check_folded(&image, &addrs,
		     "a\\x3bb;[hardirq];[truncated];vfs_read_[k] 1\n"
		     "app;[truncated];app+0x1000;[jit] 1\n"
		     "app;app+0x1000;app+0x1234;entry_SYSCALL_64_[k];vfs_read_[k] 2\n");
}

static void test_samples_in_time(void **state)
{
	static const struct input_options keep = { .keep_samples = true };
	static struct record_buf records;
	static struct image image;
	struct profile *p;

	(void)state;
	records.len = 0;
	put_small_recording(&records);
	write_records(&image, &records, 2);
	p = read_image(&image, &keep);
	assert_non_null(p);
	assert_int_equal(profile_nr_samples(p), SMALL_RECORDING_SAMPLES);
	assert_true(profile_sample_at(p, 2)->time == 2000);
	assert_int_equal(profile_sample_at(p, 1)->tid, 102);
	assert_int_equal(profile_sample_at(p, 0)->stack, profile_sample_at(p, 1)->stack);
	assert_true(profile_total(p, 0) == SMALL_RECORDING_SAMPLES);
	profile_free(p);
}

/* A later definition of an id holds from there on: the module was reset meanwhile. */
static void test_ids_again(void **state)
{
	static const uint32_t kernel[] = { 1 };
	static struct record_buf records;
	static struct image image;

	(void)state;
	records.len = 0;
	put_name(&records, 1, "old");
	put_stack(&records, 1, 0, NULL, 0, kernel, 1);
	put_sample(&records, 1, "c", 1, 1, 1);
	put_name(&records, 1, "new");
	put_sample(&records, 1, "c", 1, 1, 2);
	put_stack(&records, 1, 0, NULL, 0, kernel, 1);
	put_sample(&records, 1, "c", 1, 1, 3);
	write_records(&image, &records, 0);
	check_folded(&image, &plain, "c;new_[k] 1\nc;old_[k] 2\n");
}

static void test_cut(void **state)
{
	static struct record_buf records;
	static struct image image, cut;

	(void)state;
	records.len = 0;
	put_small_recording(&records);
	write_records(&image, &records, SMALL_RECORDING_SAMPLES);
	for (size_t len = 0; len < image.len; len++) {
		struct profile *p;
		uint64_t whole = 0;
		size_t at = sizeof(struct flame_file_head) + strlen(HEADER_TEXT);

		/* Each of the first blocks ends in a sample. */
		while (at + sizeof(struct flame_block_head) <= len) {
			struct flame_block_head head;

			memcpy(&head, image.bytes + at, sizeof(head));
			at += sizeof(head) + head.stored;
			whole += at <= len && whole < SMALL_RECORDING_SAMPLES;
		}
		memcpy(cut.bytes, image.bytes, len);
		cut.len = len;
		p = read_image(&cut, &plain);
		if (!whole) {
			assert_null(p);
			continue;
		}
		assert_non_null(p);
		assert_true(profile_total(p, 0) == whole);
		profile_free(p);
	}
}

static void test_flipped_bits(void **state)
{
	static struct record_buf records;
	static struct image image;

	(void)state;
	records.len = 0;
	put_small_recording(&records);
	write_records(&image, &records, 2);
	for (size_t i = 0; i < image.len * 8; i++) {
		image.bytes[i / 8] ^= (char)(1 << i % 8);
		assert_null(read_image(&image, &plain));
		image.bytes[i / 8] ^= (char)(1 << i % 8);
	}
	check_folded(&image, &plain, SMALL_RECORDING);
}

static void test_tails(void **state)
{
	static struct record_buf records;
	static struct image image;
	struct profile *p;
	size_t whole, last = sizeof(struct flame_block_head);

	(void)state;
	records.len = 0;
	put_small_recording(&records);
	write_records(&image, &records, SMALL_RECORDING_SAMPLES);
	whole = image.len;
	/* Something behind the last block is damage. */
	image.bytes[image.len++] = 0;
	assert_null(read_image(&image, &plain));
	/* Zeros where a block should begin are what a crashed machine leaves. */
	write_records(&image, &records, SMALL_RECORDING_SAMPLES);
	assert_int_equal(image.len, whole);
	for (size_t at = whole - last; at > 0; at--) {
		uint32_t magic;

		memcpy(&magic, image.bytes + at, 4);
		if (magic == FLAME_BLOCK_MAGIC) {
			memset(image.bytes + at, 0, image.len - at);
			break;
		}
	}
	p = read_image(&image, &plain);
	assert_non_null(p);
	assert_true(profile_total(p, 0) == SMALL_RECORDING_SAMPLES);
	profile_free(p);
	image.bytes[image.len - 1] = 1;
	assert_null(read_image(&image, &plain));
}

static void test_versions(void **state)
{
	static struct image image;
	struct flame_file_head head;

	(void)state;
	seal(&image, "", 0);
	memcpy(&head, image.bytes, sizeof(head));
	head.version++;
	head.head_crc = (uint32_t)crc32(0, (const Bytef *)&head, 28);
	memcpy(image.bytes, &head, sizeof(head));
	assert_null(read_image(&image, &plain));
	head.version--;
	head.endian = __builtin_bswap32(head.endian);
	head.head_crc = (uint32_t)crc32(0, (const Bytef *)&head, 28);
	memcpy(image.bytes, &head, sizeof(head));
	assert_null(read_image(&image, &plain));
}

/* Each way a record can lie, under right checksums. */
static void test_wrong_records(void **state)
{
	static const uint64_t user[] = { 1, 0x10 };
	static const uint32_t kernel[] = { 1 };
	static struct record_buf b;
	static struct image image;

	(void)state;
	for (int n = 0; n < 16; n++) {
		b.len = 0;
		put_name(&b, 1, "kernel_function");
		put_object(&b, 1, FLAME_OBJECT_FILE, "app", "/opt/app");
		put_stack(&b, 1, 0, user, 1, kernel, 1);
		put_sample(&b, 1, "c", 1, 1, 1);
		struct flame_rec_name *name = (void *)b.bytes;
		struct flame_rec_object *object = (void *)((char *)name + name->hdr.size);
		struct flame_rec_stack *stack = (void *)((char *)object + object->hdr.size);
		struct flame_rec_sample *sample = (void *)((char *)stack + stack->hdr.size);

		switch (n) {
		case 0:
			name->len = 0xffffffff;
			break;
		case 1:
			name->id = 0;
			break;
		case 2:
			name->hdr.size = 8;
			break;
		case 3:
			object->path_len = 0xffff;
			break;
		case 4:
			object->kind = 99;
			break;
		case 5:
			object->build_id_len = 33;
			break;
		case 6:
			stack->nr_user = 1024;
			break;
		case 7:
			stack->nr_kernel = 40;
			break;
		case 8:
			stack->user[0].object = 2;
			break;
		case 9:
			((uint32_t *)flame_stack_kernel(stack))[0] = 2;
			break;
		case 10:
			sample->stack = 2;
			break;
		case 11:
			sample->source = 77;
			break;
		case 12:
			sample->hdr.size = 0;
			break;
		case 13:
			sample->hdr.size = 1 << 20;
			break;
		case 14:
			sample->hdr.size -= 4;
			break;
		case 15:
			stack->id = 0;
			break;
		}
		seal(&image, b.bytes, b.len);
		assert_null(read_image(&image, &plain));
	}
	/* Values that do not fit together any more. */
	b.len = 0;
	put_name(&b, 1, "kernel_function");
	put_stack(&b, 1, 0, NULL, 0, kernel, 1);
	for (int i = 0; i < 2; i++) {
		put_sample(&b, 1, "c", 1, 1, 1);
		((struct flame_rec_sample *)(b.bytes + b.len) - 1)->value = 1ull << 63;
	}
	seal(&image, b.bytes, b.len);
	assert_null(read_image(&image, &plain));
}

/* A type from a later version is stepped over. */
static void test_unknown_type(void **state)
{
	static struct record_buf b;
	static struct image image;

	(void)state;
	b.len = 0;
	put_record(&b, 200, 0, 64);
	put_small_recording(&b);
	put_record(&b, FLAME_REC_PAD, 0, 8);
	seal(&image, b.bytes, b.len);
	check_folded(&image, &plain, SMALL_RECORDING);
}

/* Random damage under right checksums: the sanitizers are the judges. */
static void test_random_damage(void **state)
{
	static struct record_buf good, bad;
	static struct image image;
	uint64_t seed = 1;
	unsigned int taken = 0;

	(void)state;
	good.len = 0;
	put_small_recording(&good);
	for (int round = 0; round < 20000; round++) {
		unsigned int changes = 1 + (unsigned int)below(&seed, 3);
		struct profile *p;

		bad = good;
		while (changes--)
			bad.bytes[below(&seed, bad.len)] = (char)below(&seed, 256);
		seal(&image, bad.bytes, bad.len);
		p = read_image(&image, &plain);
		taken += p != NULL;
		profile_free(p);
	}
	/* Neither all nor none: the changes reach both names and sizes. */
	assert_true(taken > 0 && taken < 20000);
}

/* A full disk: said once, cut back to whole blocks, readable. */
static void test_disk_full(void **state)
{
	static struct image image;
	static struct record_buf b;
	struct flame_writer *w;
	struct profile *p;
	int fd = memfd_create("full", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	const int limit = 4096;
	uint64_t whole;

	(void)state;
	assert_true(fd >= 0);
	w = flame_writer_new(fd, "test");
	b.len = 0;
	put_small_recording(&b);
	assert_true(flame_writer_begin(w, HEADER_TEXT, strlen(HEADER_TEXT)));
	for (size_t at = 0; at < b.len; at += ((struct flame_rec *)(b.bytes + at))->size)
		assert_true(flame_writer_add(w, (struct flame_rec *)(b.bytes + at)));
	assert_true(flame_writer_flush(w));
	whole = flame_writer_size(w);
	/* From here on the file cannot grow: write(2) fails as on a full disk. */
	assert_int_equal(ftruncate(fd, limit), 0);
	assert_int_equal(lseek(fd, limit, SEEK_SET), limit);
	assert_int_equal(fcntl(fd, F_ADD_SEALS, F_SEAL_GROW), 0);
	assert_true(flame_writer_add(w, (struct flame_rec *)b.bytes));
	assert_false(flame_writer_flush(w));
	assert_false(flame_writer_add(w, (struct flame_rec *)b.bytes));
	assert_false(flame_writer_end(w));
	assert_int_equal(flame_writer_size(w), whole);
	load_fd(&image, fd);
	assert_int_equal(image.len, whole);
	p = read_image(&image, &plain);
	assert_non_null(p);
	assert_true(profile_total(p, 0) == SMALL_RECORDING_SAMPLES);
	profile_free(p);
	flame_writer_free(w);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_options),
		cmocka_unit_test(test_samples_in_time),
		cmocka_unit_test(test_ids_again),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_flipped_bits),
		cmocka_unit_test(test_tails),
		cmocka_unit_test(test_versions),
		cmocka_unit_test(test_wrong_records),
		cmocka_unit_test(test_unknown_type),
		cmocka_unit_test(test_random_damage),
		cmocka_unit_test(test_disk_full),
	};

	/* Errors are expected by the thousand: they are not worth reading. */
	msg_stream = fopen("/dev/null", "w");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
