// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a write to a control does and what a read of it prints, whichever way it came.
 * Builds the new settings beside the old ones and swaps them when all is well, so that
 * a refused value changes nothing. Process context only.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/security.h>
#include <linux/seq_file.h>
#include <linux/user_namespace.h>
#include "../include/flame_abi.h"
#include "../include/flame_version.h"
#include "comm_set.h"
#include "control.h"
#include "cpu_set.h"
#include "error_log.h"
#include "pid_set.h"
#include "session.h"

int flame_may_open(const struct file *file)
{
	if (file_ns_capable(file, &init_user_ns, CAP_PERFMON) ||
	    file_ns_capable(file, &init_user_ns, CAP_SYS_ADMIN))
		return 0;
	return -EPERM;
}

int flame_may_stream(void)
{
	return security_locked_down(LOCKDOWN_PERF);
}

void flame_settings_copy(struct flame_settings *dst, const struct flame_settings *src)
{
	*dst = *src;
	flame_pid_set_get(dst->pids);
	flame_pid_set_get(dst->tids);
	flame_comm_set_get(dst->comms);
	flame_cpu_set_get(dst->cpus);
}

void flame_settings_put(struct flame_settings *s)
{
	flame_pid_set_put(s->pids);
	flame_pid_set_put(s->tids);
	flame_comm_set_put(s->comms);
	flame_cpu_set_put(s->cpus);
}

static int set_pids(struct flame_pid_set **place, const char *text, size_t len, bool add,
		    enum pid_type type, struct flame_error *e)
{
	struct flame_pid_set *set = flame_pid_set_parse(add ? *place : NULL, text, len, type, e);

	if (IS_ERR(set))
		return PTR_ERR(set);
	flame_pid_set_put(*place);
	*place = set;
	return 0;
}

static int set_comms(struct flame_comm_set **place, const char *text, size_t len, bool add,
		     struct flame_error *e)
{
	struct flame_comm_set *set = flame_comm_set_parse(add ? *place : NULL, text, len, e);

	if (IS_ERR(set))
		return PTR_ERR(set);
	flame_comm_set_put(*place);
	*place = set;
	return 0;
}

static int set_cpus(struct flame_cpu_set **place, const char *text, size_t len, bool add,
		    struct flame_error *e)
{
	struct flame_cpu_set *set = flame_cpu_set_parse(add ? *place : NULL, text, len, e);

	if (IS_ERR(set))
		return PTR_ERR(set);
	flame_cpu_set_put(*place);
	*place = set;
	return 0;
}

/* Sets a setting in @s, a private copy that stays as it was when this fails. */
static int set_value(const struct flame_control *c, const char *text, size_t len, bool add,
		     struct flame_settings *s, struct flame_error *e)
{
	switch (c->kind) {
	case FLAME_CTL_PIDS:
		return set_pids(&s->pids, text, len, add, PIDTYPE_TGID, e);
	case FLAME_CTL_TIDS:
		return set_pids(&s->tids, text, len, add, PIDTYPE_PID, e);
	case FLAME_CTL_COMMS:
		return set_comms(&s->comms, text, len, add, e);
	case FLAME_CTL_CPUS:
		return set_cpus(&s->cpus, text, len, add, e);
	default:
		return flame_value_parse(c, text, len, s, e);
	}
}

static int change_setting(const struct flame_control *c, const char *text, size_t len, bool add,
			  struct flame_error *e)
{
	struct flame_settings new;
	char owner[48];
	int err;

	if (flame_session_is_on()) {
		flame_session_owner(owner, sizeof(owner));
		return flame_fail(e, -EBUSY, 0,
				  "sampling is on, started by %s, write 0 to sampling_on first",
				  owner);
	}
	flame_settings_copy(&new, &flame_settings);
	err = set_value(c, text, len, add, &new, e);
	if (!err)
		swap(new, flame_settings);
	flame_settings_put(&new);
	return err;
}

static int switch_sampling(const char *text, size_t len, struct flame_stream *stream,
			   struct flame_error *e)
{
	char why[sizeof(e->msg)] = "cannot be started";
	int on = flame_bool_parse(text, len, e);
	int err;

	if (on < 0)
		return on;
	if (!on) {
		flame_session_stop();
		return 0;
	}
	err = flame_session_start(stream, why, sizeof(why));
	return err ? flame_fail(e, err, 0, "%s", why) : 0;
}

static int reset(struct flame_error *e)
{
	int err = flame_session_reset();

	if (err)
		return flame_fail(e, err, 0, "the profile cannot be cleared now");
	flame_error_log_clear();
	return 0;
}

/* With flame_session_mutex held. */
static int write_control(const struct flame_control *c, const char *text, size_t len, bool add,
			 struct flame_stream *stream, struct flame_error *e)
{
	if (!(c->mode & 0200))
		return flame_fail(e, -EACCES, 0, "can only be read");
	if (add && !flame_control_is_list(c))
		return flame_fail(e, -EINVAL, 0, "holds one value, nothing can be added to it");
	switch (c->kind) {
	case FLAME_CTL_SAMPLING_ON:
		return switch_sampling(text, len, stream, e);
	case FLAME_CTL_RESET:
		return reset(e);
	default:
		return change_setting(c, text, len, add, e);
	}
}

int flame_control_write(const struct flame_control *c, const char *text, size_t len, bool add,
			struct flame_stream *stream)
{
	struct flame_error e = {};
	int err;

	if (mutex_lock_killable(&flame_session_mutex))
		return -EINTR;
	err = write_control(c, text, len, add, stream, &e);
	mutex_unlock(&flame_session_mutex);
	if (err)
		flame_error_log_add(c->name, &e, text, len);
	return err;
}

static const char readme_head[] =
	"flame samples every CPU and counts what runs there, by whole stack.\n"
	"\n"
	"    echo 99 > frequency          # samples a second on each CPU\n"
	"    echo 1 > sampling_on\n"
	"    sleep 5\n"
	"    echo 0 > sampling_on\n"
	"    cat folded                   # a line for each stack: frames;...;frames COUNT\n"
	"\n"
	"    cat folded | flame symbolize | flame svg > flame.svg\n"
	"\n"
	"Only some:  echo 4711 > set_pid; echo 4712 >> set_pid; echo > set_pid clears it;\n"
	"            echo 'redis-*' > set_comm; echo 0-3,8 > cpus\n"
	"Settings cannot be changed while sampling is on. A refused write leaves the old\n"
	"value, and error_log says what was wrong with it and where. /dev/flame takes the\n"
	"same controls as commands: NAME VALUE, NAME += VALUE, get NAME, attach.\n"
	"\n"
	"Files, with what can be written to them:\n";

static void show_readme(struct seq_file *m)
{
	const struct flame_control *c;

	seq_puts(m, readme_head);
	for (c = flame_controls; c < flame_controls + flame_nr_controls; c++) {
		seq_printf(m, "  %-24s %s", c->name, c->help);
		if (c->range)
			seq_printf(m, " [%s]", c->range);
		else if (c->max)
			seq_printf(m, " [%u-%u]", c->min, c->max);
		seq_putc(m, '\n');
	}
	seq_puts(m, "  per_cpu/cpuN/stats       the counters of a CPU\n"
		    "  per_cpu/cpuN/raw         its samples as binary records, a stream\n");
}

static void show_sources(struct seq_file *m)
{
	unsigned int i;

	for (i = 0; i < flame_nr_source_names; i++)
		seq_printf(m, "%s\t%s\n", flame_source_names[i].name,
			   flame_source_names[i].help);
}

static int show_setting(struct seq_file *m, const struct flame_control *c)
{
	char text[FLAME_PRINT_MAX];

	switch (c->kind) {
	case FLAME_CTL_PIDS:
		return flame_pid_set_show(m, flame_settings.pids);
	case FLAME_CTL_TIDS:
		return flame_pid_set_show(m, flame_settings.tids);
	case FLAME_CTL_COMMS:
		flame_comm_set_show(m, flame_settings.comms);
		return 0;
	case FLAME_CTL_CPUS:
		flame_cpu_set_show(m, flame_settings.cpus);
		return 0;
	case FLAME_CTL_SAMPLING_ON:
		seq_printf(m, "%d\n", flame_session_is_on());
		return 0;
	default:
		flame_value_print(c, &flame_settings, text, sizeof(text));
		seq_puts(m, text);
		return 0;
	}
}

int flame_control_show(struct seq_file *m, const struct flame_control *c)
{
	int err;

	switch (c->kind) {
	case FLAME_CTL_README:
		show_readme(m);
		return 0;
	case FLAME_CTL_VERSION:
		seq_printf(m, "flame %s abi %u\n", FLAME_VERSION, FLAME_ABI_VERSION);
		return 0;
	case FLAME_CTL_AVAILABLE_SOURCES:
		show_sources(m);
		return 0;
	case FLAME_CTL_ERROR_LOG:
		flame_error_log_show(m);
		return 0;
	default:
		if (mutex_lock_killable(&flame_session_mutex))
			return -EINTR;
		err = show_setting(m, c);
		mutex_unlock(&flame_session_mutex);
		return err;
	}
}

static int show_private(struct seq_file *m, void *unused)
{
	return flame_control_show(m, m->private);
}

int flame_control_open(struct file *file, const struct flame_control *c)
{
	return single_open(file, show_private, (void *)c);
}
